# The storeys of this folder, lowest first, and the rooms in each, lowest first; read
# by the Makefile and by tests/check-headers. ARCHITECTURE.md says what each is for.
# A file may include files of its own room and of the rooms before it. For storeys the
# compiler sees to that: a file is compiled with -I of its own and of lower storeys.
# The room runtime stands outside the order, in the storey run.
STOREYS = ground run judge paper door
ground = base cuda random json store source manifest sign cli
run = device confine worker measure session crew
judge = score audit answers prompts turns verify
paper = sheet tables import export publish pages
door = asking serving runs cmd
