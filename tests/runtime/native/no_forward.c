/* Defines nothing that is asked for. */
int kb_backward(void);

int kb_backward(void)
{
	return 0;
}
