#!/bin/sh
# The first process of a workspace: builds what the workspace may see, waits for the word, runs the agent, ends with it.
#
#   agent-init.sh MODE HOSTNAME ROOT HOME_FROM HOME_TO TMP_FROM NODE AGENT_DIR ETC UID GID [HIDDEN...] -- COMMAND...
#
# MODE   root    real root in its own mount and PID namespace; the agent gets the ordinary user UID:GID
#        user    root of a user namespace of its own; the agent is UID:GID of a second one, so without any capability
#        plain   no namespace: no path is changed, and the caller has set the user already
# ROOT   an empty folder, to build the new root on. ETC: a folder with the workspace's own passwd, group and profile.
# HIDDEN real paths inside the system's folders that must not be seen.
#
# Every value is an argument and is only ever used quoted. Nothing of the workspace's environment is here: it comes on
# stdin after the line "go", and only the last step, which has already lost all rights, reads it.
# fd 3: the line "ready" is written when everything but the agent stands. stdin at its end before "go": the starter died,
# so nothing may be left, and this ends.
set -eu
agent=''
trap 'if [ -n "$agent" ]; then kill -TERM "$agent" 2>/dev/null || :; else exit 143; fi' TERM INT HUP

mode=$1 host=$2 root=$3 home_from=$4 home_to=$5 tmp_from=$6 node=$7 agent_dir=$8 etc=$9
shift 9
uid=$1 gid=$2
shift 2

# Makes every mount under the new root read-only, keeping the flags that a user namespace may not take off.
seal() {
  while read -r _ _ _ _ at flags _; do
    case $at in *\\*) at=$(printf '%b' "$at") ;; esac
    case $at in
      "$root"/*) mount -o "remount,bind,ro,${flags#r[wo],}" "$at" ;;
    esac
  done
}

# A folder of links to the host's /etc, with the workspace's own accounts and profile as real files. They are not mounted over the host's:
# such a mount is gone as soon as the host replaces the file, and then the workspace's user has no name.
build_etc() (
  mkdir etc .host-etc
  # One level below the root, as /etc is, so that relative links inside lead to the same places.
  mount --rbind /etc .host-etc
  set --
  for entry in .host-etc/* .host-etc/.[!.]*; do
    case $entry in */passwd | */group | */profile) continue ;; esac
    if [ -e "$entry" ] || [ -L "$entry" ]; then set -- "$@" "/$entry"; fi
  done
  [ "$#" -eq 0 ] || ln -s "$@" etc/
  for name in passwd group profile; do
    : >"etc/$name"
    mount --bind "$etc/$name" "etc/$name"
  done
)

build_root() {
  hostname "$host" 2>/dev/null || :
  mount -t tmpfs -o mode=0755,size=1m,nosuid,nodev berth "$root"
  cd "$root"
  mkdir -p berth/bin berth/agent dev proc sys run var/tmp var/lib mnt tmp old ".$home_to"
  ln -s /run var/run

  # The system as it is. Homes, /root, /run, /srv, /var and whatever else stays out by not being named here.
  for dir in /usr /bin /sbin /lib /lib32 /lib64 /libx32 /opt /nix /snap /var/lib/ca-certificates; do
    if [ -L "$dir" ]; then
      ln -s "$(readlink "$dir")" ".$dir"
    elif [ -d "$dir" ]; then
      mkdir ".$dir"
      mount --rbind "$dir" ".$dir"
    fi
  done
  build_etc
  [ "$mode" != root ] || mount --bind /sys sys

  # The name servers' file is often a link to somewhere that is not here.
  resolv=$(readlink -f /etc/resolv.conf || :)
  case $resolv in
    '' | /etc/* | /usr/*) ;;
    *)
      mkdir -p ".${resolv%/*}"
      : >".$resolv"
      mount --bind "$resolv" ".$resolv"
      ;;
  esac

  : >berth/bin/node
  mount --bind "$node" berth/bin/node
  mount --bind "$agent_dir" berth/agent
  seal </proc/self/mountinfo

  while [ "$1" != -- ]; do
    case $1 in
      /etc/*) hidden=".host-etc/${1#/etc/}" ;;
      *) hidden=".$1" ;;
    esac
    if [ -d "$hidden" ]; then
      mount -t tmpfs -o mode=0000,size=4k,nosuid,nodev,noexec,ro berth "$hidden"
    elif [ -e "$hidden" ]; then
      mount --bind /dev/null "$hidden"
    fi
    shift
  done

  mount -t tmpfs -o mode=0755,size=64k,nosuid,noexec berth dev
  for name in null zero full random urandom tty; do
    : >"dev/$name"
    mount --bind "/dev/$name" "dev/$name"
  done
  mkdir dev/pts dev/shm
  ln -s pts/ptmx dev/ptmx
  ln -s /proc/self/fd dev/fd
  ln -s /proc/self/fd/0 dev/stdin
  ln -s /proc/self/fd/1 dev/stdout
  ln -s /proc/self/fd/2 dev/stderr
  mount -t devpts -o newinstance,ptmxmode=0666,mode=0620,nosuid,noexec berth dev/pts
  mount -t tmpfs -o mode=1777,nosuid,nodev berth dev/shm
  mount -o remount,bind,ro,nosuid,noexec dev
  mount -t proc -o nosuid,nodev,noexec berth proc

  mount --bind "$home_from" ".$home_to"
  mount -o remount,bind,nosuid,nodev ".$home_to"
  mount --bind "$tmp_from" tmp
  mount -o remount,bind,nosuid,nodev tmp
  mount --bind tmp var/tmp

  pivot_root . old
  cd /
  umount -l old
  rmdir old
  mount -o remount,bind,ro,nosuid,nodev /
}

case $mode in
  root | user) build_root "$@" ;;
  plain) ;;
  *)
    echo "agent-init: unknown mode $mode" >&2
    exit 64
    ;;
esac
while [ "$1" != -- ]; do shift; done
shift

# Killed before the server when memory runs out.
echo 500 2>/dev/null >/proc/self/oom_score_adj || :

echo ready >&3
exec 3>&-
read -r word
[ "$word" = go ]
exec 4<&0 </dev/null

# Reads NAME=value lines (\n and \\ escaped) into an environment of its own and becomes the command.
enter='
  while IFS= read -r line; do
    case $line in *\\*) line=$(printf "%b." "$line"); line=${line%.} ;; esac
    export "$line"
  done
  cd "$HOME" || cd /
  exec "$@" </dev/null
'
case $mode in
  root)
    setpriv --reuid "$uid" --regid "$gid" --clear-groups --no-new-privs --inh-caps=-all --bounding-set=-all \
      -- env -i /bin/sh -c "$enter" sh "$@" <&4 4<&- &
    ;;
  user)
    unshare --user --map-user="$uid" --map-group="$gid" -- \
      setpriv --no-new-privs -- env -i /bin/sh -c "$enter" sh "$@" <&4 4<&- &
    ;;
  plain)
    if command -v setpriv >/dev/null 2>&1; then set -- setpriv --no-new-privs -- "$@"; fi
    env -i /bin/sh -c "$enter" sh "$@" <&4 4<&- &
    ;;
esac
agent=$!
exec 4<&-

# As the first process of its namespace this reaps what others left; a signal interrupts the wait, so it is asked again.
status=0
while kill -0 "$agent" 2>/dev/null; do
  status=0
  wait "$agent" || status=$?
done
exit "$status"
