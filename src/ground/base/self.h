#ifndef KB_BASE_SELF_H
#define KB_BASE_SELF_H

struct kb_err;

/*
 * Where this program is installed: the directory P of P/bin/<program>, links
 * resolved. What belongs to it lies beside: P/bin, P/libexec/kb, P/share/kb.
 *
 * The caller frees; NULL with KB_ERR_SYS where there is no /proc.
 */
char *kb_self_prefix(struct kb_err *err);

#endif
