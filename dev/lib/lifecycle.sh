# shellcheck shell=bash
# Starts and stops instances, and watches the processes to which they belong.

START_TIMEOUT=${START_TIMEOUT:-120}

# --- up -------------------------------------------------------------------------------------------------------

instance_up() {
  local started
  need curl "it checks whether the API server is ready."
  select_instance
  find_binaries
  choose_controllers
  choose_parts
  started=$(now_millis)
  lock_instance
  sweep_orphans
  if [ -f "$INSTANCE/env" ]; then
    repair_instance
    say "'$NAME' is already running: https://127.0.0.1:$PORT ($PARTS)"
    return
  fi
  remove_instance
  trap 'give_up "interrupted"' INT TERM HUP
  prepare_instance
  start_parts
  write_env
  trap - INT TERM HUP
  say "'$NAME' is ready after $(seconds_since "$started") s: https://127.0.0.1:$PORT ($PARTS)"
}

# Starts or resumes components that were stopped, have crashed or were paused.
repair_instance() {
  local part
  restore_instance
  for part in $PARTS; do
    signal_component CONT "$part"
    start_component "$part"
  done
  await "$START_TIMEOUT" apiserver_ready_or_gone && apiserver_ready && return
  die "'$NAME' exists, but its API server does not become ready." \
    "See: dev/kubernetes logs apiserver --name $NAME" "or delete the instance: dev/kubernetes down --name $NAME"
}

# Sets PARTS to the components of --only without those of --without, as far as their programs exist.
choose_parts() {
  local part wanted=${ONLY:-$ALL_COMPONENTS} chosen=''
  # The API server requires etcd.
  [ -z "${ONLY:-}" ] || wanted="etcd $wanted"
  for part in $ALL_COMPONENTS; do
    case " $wanted " in *" $part "*) ;; *) continue ;; esac
    case " ${WITHOUT:-} " in *" $part "*) continue ;; esac
    if [ "$part" = controllers ]; then
      [ -z "${CONTROLLERS:-}" ] || chosen="$chosen $part"
    elif has_program "$(program_of "$part")"; then
      chosen="$chosen $part"
    elif [ -n "${ONLY:-}" ]; then
      die "$(program_of "$part") is not in $BIN." "Unset KUBEBUILDER_ASSETS to build it, or remove it from --only."
    else
      say "$(program_of "$part") is not in $BIN; starting without it"
    fi
  done
  PARTS=${chosen# }
  case " $PARTS " in *' etcd apiserver '*) ;; *) die "An instance requires etcd and apiserver, was: $PARTS" ;; esac
}

# Reads the files that prepare_instance wrote.
restore_instance() {
  PKI="$INSTANCE/pki"
  PARTS=$(cat "$INSTANCE/parts")
  PORT=$(cat "$INSTANCE/port")
  BIN=$(cat "$INSTANCE/binaries")
}

prepare_instance() {
  mkdir -m 700 "$INSTANCE"
  printf '%s' "$PARTS" >"$INSTANCE/parts"
  printf '%s' "$BIN" >"$INSTANCE/binaries"
  if [ -n "${PARENT:-}" ]; then
    process_start "$PARENT" >"$INSTANCE/parent.start"
    printf '%s' "$PARENT" | write_file "$INSTANCE/parent"
    ! parent_gone || give_up "its parent process $PARENT does not exist"
    daemon "$INSTANCE/watchdog.log" "$DEV_DIR/kubernetes" watch-parent --name "$NAME" | write_file "$INSTANCE/watchdog.pid"
  fi
}

start_parts() {
  local part
  describe_component etcd && start_component etcd
  create_keys
  create_tokens
  write_curl_config
  choose_port
  describe_component apiserver && start_component apiserver
  client_certificate
  write_kubeconfigs
  for part in $PARTS; do
    case "$part" in etcd | apiserver | controllers) continue ;; esac
    describe_component "$part" && start_component "$part"
  done
  wait_for_apiserver
  ! has_part controllers || create_controller_accounts
  ! has_part controllers || describe_component controllers
  start_parts_that_gave_up
  ! has_part kwok || create_nodes
  ! has_part controller-manager || create_storage_class
  ! has_part controller-manager || wait_for controllers_ready controller-manager "the default service account"
  ! has_part kwok || wait_for nodes_ready kwok "the nodes"
  ! has_part controllers || START_TIMEOUT=$((START_TIMEOUT * 3)) wait_for application_ready controllers "the readiness of the controllers"
}

# The controller manager ends if the API server is not healthy within ten seconds, as on a busy machine.
start_parts_that_gave_up() {
  local part
  for part in $PARTS; do
    component_alive "$part" || start_component "$part"
  done
}

choose_port() {
  if [ -n "${WANTED_PORT:-}" ]; then
    ! port_is_open "$WANTED_PORT" || give_up "port $WANTED_PORT is in use; omit --port to use a free port"
    PORT=$WANTED_PORT
  else
    PORT=$(free_port)
  fi
  printf '%s' "$PORT" >"$INSTANCE/port"
}

# If another process takes the port before the API server does, another port is used.
wait_for_apiserver() {
  local attempt
  for attempt in 1 2 3 4 5; do
    await "$START_TIMEOUT" apiserver_ready_or_gone || give_up "the API server was not ready after $START_TIMEOUT s" apiserver
    ! apiserver_ready || return 0
    ! parent_gone || give_up "its parent process $PARENT has ended"
    component_alive etcd || give_up "etcd ended" etcd
    { [ -z "${WANTED_PORT:-}" ] && [ "$attempt" -lt 5 ] && port_was_taken; } || give_up "the API server ended" apiserver
    say "Port $PORT is in use; trying another port"
    move_to_another_port
  done
}

port_was_taken() { grep -q 'address already in use' "$INSTANCE/logs/apiserver.log"; }

move_to_another_port() {
  local part
  choose_port
  : >"$INSTANCE/logs/apiserver.log"
  write_kubeconfigs
  describe_component apiserver && start_component apiserver
  for part in $PARTS; do
    case "$part" in etcd | apiserver | controllers) continue ;; esac
    kill_component "$part" && start_component "$part"
  done
}

# Arguments: check, component that makes it succeed, description.
wait_for() {
  await "$START_TIMEOUT" succeeded_or_gone "$1" "$2" || give_up "$3 did not appear within $START_TIMEOUT s" "$2"
  "$1" || give_up "$2 ended" "$2"
}

succeeded_or_gone() { "$1" || component_gone "$2" || parent_gone; }

# Aborts a start: prints the reason and the end of a log, and removes the instance.
give_up() {
  local reason=$1 log="$INSTANCE/logs/${2:-none}.log" tail=''
  trap '' INT TERM HUP
  [ ! -f "$log" ] || tail=$(tail -n 12 "$log")
  remove_instance
  remove_lock
  die "'$NAME' could not be started: $reason." ${tail:+"The last lines of its log:" "$tail"}
}

# --- down -----------------------------------------------------------------------------------------------------

instance_down() {
  select_instance
  lock_instance
  if [ -d "$INSTANCE" ]; then
    remove_instance
    say "'$NAME' is down"
  else
    say "'$NAME' does not exist"
  fi
  remove_lock
}

# Stops and deletes an instance, complete or not. Its data is deleted, so its processes are killed.
remove_instance() {
  local part
  [ -d "$INSTANCE" ] || return 0
  dismiss_watchdog
  remove_volumes
  for part in $ALL_COMPONENTS; do signal_component KILL "$part"; done
  for part in $ALL_COMPONENTS; do kill_component "$part"; done
  rm -rf "$INSTANCE"
}

all_down() {
  local name
  INSTANCES=$(instances_folder)
  for name in $(instance_names); do "$DEV_DIR/kubernetes" down --name "$name"; done
}

instance_names() {
  local folder
  for folder in "$INSTANCES"/*/; do
    [ ! -d "$folder" ] || basename "$folder"
  done
}

# --- the watchdog ---------------------------------------------------------------------------------------------

parent_gone() {
  [ -f "$INSTANCE/parent" ] || return 1
  local parent
  parent=$(cat "$INSTANCE/parent")
  kill -0 "$parent" 2>/dev/null || return 0
  [ "$(process_start "$parent")" != "$(cat "$INSTANCE/parent.start")" ]
}

# Runs as a daemon until the parent process or the instance is gone.
watch_parent() {
  select_instance
  while [ -d "$INSTANCE" ] && ! parent_gone; do sleep 1; done
  lock_instance
  # A new instance can have the same name, with its own watchdog.
  [ "$(cat "$INSTANCE/watchdog.pid" 2>/dev/null)" = "$$" ] || return 0
  remove_instance
  remove_lock
}

watchdog_alive() {
  local pid
  pid=$(cat "$INSTANCE/watchdog.pid" 2>/dev/null) || return 1
  case "$(ps -ww -o args= -p "$pid" 2>/dev/null)" in *"watch-parent --name $NAME"*) ;; *) return 1 ;; esac
}

dismiss_watchdog() {
  local pid
  watchdog_alive || return 0
  pid=$(cat "$INSTANCE/watchdog.pid")
  [ "$pid" = "$$" ] || kill -KILL "$pid" 2>/dev/null || true
}

# Stops instances whose parent process and watchdog were both killed.
sweep_orphans() {
  local name
  for name in $(instance_names); do
    [ "$name" = "$NAME" ] || ! is_orphan "$name" || "$DEV_DIR/kubernetes" down --name "$name"
  done
}

is_orphan() {
  local NAME=$1 INSTANCE="$INSTANCES/$1"
  parent_gone && ! watchdog_alive
}
