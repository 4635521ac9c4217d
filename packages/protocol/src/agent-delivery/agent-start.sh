#!/bin/sh
# Fetches the Berth agent and becomes it. Needs a shell, tar with gzip, and curl or wget (busybox has all of them), but neither
# Node.js nor root.
#
#   BERTH_AGENT_TOKEN     the agent's token; CODER_AGENT_TOKEN is understood as well
#   BERTH_AGENT_URL       where the server is, if the next lines do not say it; CODER_AGENT_URL is understood as well
#   BERTH_AGENT_DIR       where the agent is put; what is there already is used. By default a new temporary folder
#   BERTH_AGENT_ATTEMPTS  how often the download is tried
url="${ACCESS_URL}"
arch="${ARCH}"
set -eu

say() { echo "berth: $*" >&2; }
fail() {
  say "$*"
  exit 1
}
# A wait that a signal ends.
pause() { sleep "$1" & wait $! || :; }
trap 'exit 143' TERM INT HUP

[ -n "$url" ] || url=${BERTH_AGENT_URL:-${CODER_AGENT_URL:-}}
url=${url%/}
case $url in
  http://* | https://*) ;;
  *) fail "BERTH_AGENT_URL must be the address of the server, such as https://berth.example.com; it is \"$url\"." ;;
esac
token=${BERTH_AGENT_TOKEN:-${CODER_AGENT_TOKEN:-}}
[ -n "$token" ] || [ -n "${BERTH_AGENT_TOKEN_FILE:-}" ] || fail 'BERTH_AGENT_TOKEN must be the token of this agent.'

# fetch FROM TO: 0 for success, 1 for what may go away, 2 for what will not; $problem says why.
fetch() {
  if command -v curl >/dev/null 2>&1; then
    status=$(curl -sSL --connect-timeout 15 --max-time 900 -o "$2" -w '%{http_code}' "$1" 2>"$2.log") || {
      problem=$(tail -n 1 "$2.log")
      return 1
    }
    [ "$status" != 200 ] || return 0
    problem="it answered $status: $(head -c 300 "$2")"
    [ "$status" != 404 ] || return 2
    return 1
  fi
  if command -v wget >/dev/null 2>&1; then
    wget -T 60 -O "$2" "$1" 2>"$2.log" && return 0
  elif command -v busybox >/dev/null 2>&1; then
    busybox wget -T 60 -O "$2" "$1" 2>"$2.log" && return 0
  else
    problem='there is neither curl nor wget here'
    return 2
  fi
  problem=$(grep . "$2.log" | tail -n 1)
  case $problem in *' 404'*) return 2 ;; esac
  return 1
}

# unpack ARCHIVE TO: all or nothing, as far as anybody can see who looks for "node".
unpack() {
  rm -rf "$2/new"
  mkdir -p "$2/new"
  tar -xzf "$1" -C "$2/new" 2>"$1.log" || {
    problem="it could not be unpacked: $(tail -n 1 "$1.log")"
    return 1
  }
  rm -rf "$2/agent" "$2/node"
  mv "$2/new/agent" "$2/agent" && mv "$2/new/node" "$2/node" && rmdir "$2/new"
}

dir=${BERTH_AGENT_DIR:-}
if [ -z "$dir" ]; then
  dir=$(mktemp -d "${TMPDIR:-/tmp}/berth-agent.XXXXXX") || fail "A temporary folder could not be made in ${TMPDIR:-/tmp}."
elif [ ! -d "$dir" ]; then
  mkdir -p "$dir" || fail "$dir could not be made."
fi

# A shell is enough where the agent is already.
if [ ! -x "$dir/node" ]; then
  system=$(uname -s)
  [ "$system" = Linux ] || fail "There is an agent for Linux only, and this is $system."
  case ${arch:-$(uname -m)} in
    amd64 | x86_64 | x64) arch=amd64 ;;
    arm64 | aarch64) arch=arm64 ;;
    arm*) arch=armv7 ;;
    *) fail "There is no agent for the processor ${arch:-$(uname -m)}." ;;
  esac
  from=$url/bin/berth-agent-linux-$arch.tar.gz
  attempts=${BERTH_AGENT_ATTEMPTS:-20}
  attempt=1
  seconds=1
  problem=''
  while :; do
    outcome=0
    fetch "$from" "$dir/bundle" || outcome=$?
    if [ "$outcome" = 0 ]; then unpack "$dir/bundle" "$dir" || outcome=1; fi
    rm -f "$dir/bundle" "$dir/bundle.log"
    [ "$outcome" != 0 ] || break
    [ "$outcome" != 2 ] || fail "The agent cannot be fetched from $from: $problem"
    [ "$attempt" -lt "$attempts" ] || fail "The agent could not be fetched from $from in $attempts attempts: $problem"
    say "Attempt $attempt of $attempts to fetch the agent from $from failed: $problem. The next one is in $seconds s."
    pause "$seconds"
    attempt=$((attempt + 1))
    seconds=$((seconds * 2))
    [ "$seconds" -le 30 ] || seconds=30
  done
fi

problem=$("$dir/node" --version 2>&1) || fail "The agent does not run here: $(echo "$problem" | head -n 1)
It needs glibc 2.28 or newer and libstdc++, as Debian, Ubuntu, Fedora and their like have; Alpine and others with musl do not."

export BERTH_AGENT_URL="$url"
[ -z "$token" ] || export BERTH_AGENT_TOKEN="$token"
unset CODER_AGENT_TOKEN token
say 'the agent starts'
[ $$ = 1 ] || exec "$dir/node" "$dir/agent/agent.mjs"

# As the first process of a container: signals are passed on, and what others leave behind is taken care of.
agent=''
trap '[ -z "$agent" ] || kill -TERM "$agent" 2>/dev/null || :' TERM INT HUP
"$dir/node" "$dir/agent/agent.mjs" &
agent=$!
status=0
while kill -0 "$agent" 2>/dev/null; do
  status=0
  wait "$agent" || status=$?
done
exit "$status"
