# shellcheck shell=bash
# Messages, locks and waiting. Sourced by dev/kubernetes.

# Writes progress to stderr, because callers read stdout (env, kubectl, token).
say() { printf 'kubernetes: %s\n' "$*" >&2; }

die() {
  printf 'kubernetes: %s\n' "$1" >&2
  shift
  local line
  for line in "$@"; do printf '            %s\n' "$line" >&2; done
  exit 1
}

need() {
  command -v "$1" >/dev/null 2>&1 || die "'$1' is missing." "Install it, $2"
}

# The time in milliseconds, in whole seconds if date does not support more.
now_millis() {
  local millis
  millis=$(date +%s%3N)
  case "$millis" in *[!0-9]*) millis=$(($(date +%s) * 1000)) ;; esac
  printf '%s' "$millis"
}

seconds_since() {
  local millis=$(($(now_millis) - $1))
  printf '%d.%01d' $((millis / 1000)) $((millis % 1000 / 100))
}

random_hex() { od -An -N16 -tx1 /dev/urandom | tr -d ' \n'; }

# Writes a file atomically.
write_file() { cat >"$1.new" && mv "$1.new" "$1"; }

# Acquires an exclusive lock, which the kernel releases when this process ends.
# Arguments: file descriptor, file, message if it has to wait.
lock() {
  local fd=$1 file=$2 waiting=$3
  eval "exec $fd>>\"\$file\""
  lock_descriptor "$fd" try && return
  say "$waiting"
  lock_descriptor "$fd" wait
}

lock_descriptor() {
  local fd=$1 how=$2
  if command -v flock >/dev/null 2>&1; then
    if [ "$how" = try ]; then flock -n "$fd"; else flock "$fd"; fi
    return
  fi
  need perl "or install flock (util-linux): locks require one of them."
  perl -MFcntl=:flock -e 'open(my $f, ">>&=", $ARGV[0]) or exit 2;
    exit(flock($f, $ARGV[1] eq "try" ? LOCK_EX | LOCK_NB : LOCK_EX) ? 0 : 1)' "$fd" "$how"
}

# Runs a program as a daemon in its own session, without our terminal, locks and pipes.
# Prints its process id. Arguments: log file, program, arguments.
daemon() {
  local log=$1
  shift
  if command -v setsid >/dev/null 2>&1; then
    setsid "$@" </dev/null >>"$log" 2>&1 8>&- 9>&- &
  else
    perl -MPOSIX=setsid -e 'setsid(); exec(@ARGV) or exit 127' "$@" </dev/null >>"$log" 2>&1 8>&- 9>&- &
  fi
  printf '%s' "$!"
}

# The start time of a process, which distinguishes it from a later process with the same id. Empty if it does not exist.
# Uses the kernel's value if /proc exists: the date that ps computes from it can change by a second.
process_start() {
  local stat
  if [ -r "/proc/$1/stat" ]; then
    stat=$(cat "/proc/$1/stat" 2>/dev/null) || return 0
    # The program's name can contain spaces; the start time is the 20th word after its bracket.
    printf '%s\n' "${stat##*)}" | awk '{ print $20 }'
  else
    LC_ALL=C TZ=UTC ps -o lstart= -p "$1" 2>/dev/null || true
  fi
}
