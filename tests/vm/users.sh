# users.sh: root, and an ordinary user with and without namespaces and a group that
# is delegated.
# shellcheck shell=sh disable=SC2086,SC2154 # lists of words; inside and place.sh

place "root" "" env
place "root, delegated" "" systemd-run --scope --quiet --property=Delegate=yes
place "user" "other_user $groups" $user
place "user, delegated" "other_user" $delegated
place "user, in a scope" "other_user" $user systemd-run --user --scope --quiet
sysctl -q user.max_user_namespaces=0
place "user without namespaces" "$spaces $files other_user $groups" $user
place "user without namespaces, delegated" "$spaces $files other_user" $delegated
sysctl -q user.max_user_namespaces=10000
