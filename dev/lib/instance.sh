# shellcheck shell=bash
# One instance: its folder, port, keys, users and kubeconfigs.

USERS="admin alice bob"

# The folder of all instances of this user. Other users cannot read it, because it contains keys.
instances_folder() {
  local folder="${DEV_KUBERNETES_INSTANCES:-${TMPDIR:-/tmp}/reconciler4j-$(id -u)}"
  mkdir -p -m 700 "$folder" || die "cannot create $folder." "Set TMPDIR to a folder that you can write to."
  [ -O "$folder" ] && [ ! -L "$folder" ] || die "$folder belongs to another user." "Set TMPDIR to a folder of your own."
  (cd "$folder" && pwd -P)
}

# Sets INSTANCE to the folder of NAME. The name is part of the path of a socket, which must be short.
select_instance() {
  case "$NAME" in
    '' | *[!a-z0-9-]*) die "'$NAME' is not a valid name of an instance." "Use lower-case letters, digits and dashes, for example: --name demo" ;;
  esac
  INSTANCES=$(instances_folder)
  INSTANCE="$INSTANCES/$NAME"
  [ ${#INSTANCE} -le 80 ] || die "the path $INSTANCE is too long for a socket." "Use a shorter --name or TMPDIR."
}

# Acquires the lock of the instance. The process that removes an instance also removes the file of its lock. If that
# happens while this process waits, it acquires the lock again.
lock_instance() {
  local attempt
  for attempt in 1 2 3 4 5; do
    lock 9 "$INSTANCES/$NAME.lock" "Waiting for another command on '$NAME'"
    ! lock_is_current || return 0
  done
}

lock_is_current() { [ "$INSTANCES/$NAME.lock" -ef /dev/fd/9 ]; }

remove_lock() { ! lock_is_current || rm -f "$INSTANCES/$NAME.lock"; }

need_instance() {
  select_instance
  [ -f "$INSTANCE/env" ] || die "The instance '$NAME' does not exist." "Start it: dev/kubernetes up --name $NAME"
}

# A free port below the range of outgoing connections, so that it is still free when the API server restarts.
free_port() {
  local port attempt
  for attempt in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    port=$((20000 + (RANDOM * 32768 + RANDOM + attempt) % 10000))
    port_is_open "$port" || { printf '%s' "$port" && return; }
  done
  die "All tried ports between 20000 and 29999 are in use."
}

port_is_open() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# --- keys -----------------------------------------------------------------------------------------------------

create_keys() {
  need openssl "it creates the keys and certificates of the API server."
  PKI="$INSTANCE/pki"
  mkdir -p "$PKI"
  {
    ec_key "$PKI/ca.key" && ec_key "$PKI/apiserver.key" && ec_key "$PKI/service-accounts.key" &&
      openssl ec -in "$PKI/service-accounts.key" -pubout -out "$PKI/service-accounts.pub" &&
      certificate_authority && serving_certificate
  } >"$PKI/openssl.log" 2>&1 || die "openssl could not create the keys:" "$(tail -n 5 "$PKI/openssl.log")"
}

ec_key() { openssl ecparam -genkey -name prime256v1 -noout -out "$1"; }

certificate_authority() {
  printf '%s\n' '[req]' 'distinguished_name=name' 'x509_extensions=extensions' 'prompt=no' '[name]' "CN=reconciler4j-$NAME" \
    '[extensions]' 'basicConstraints=critical,CA:TRUE' 'keyUsage=critical,keyCertSign,digitalSignature' \
    'subjectKeyIdentifier=hash' >"$PKI/ca.conf"
  openssl req -x509 -new -key "$PKI/ca.key" -days 365 -config "$PKI/ca.conf" -out "$PKI/ca.crt"
}

serving_certificate() {
  printf '%s\n' 'extendedKeyUsage=serverAuth' \
    'subjectAltName=IP:127.0.0.1,IP:10.0.0.1,DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,DNS:kubernetes.default.svc' \
    >"$PKI/apiserver.conf"
  signed_certificate apiserver /CN=kube-apiserver
}

# The administrator has an RSA key, because every client library supports RSA. The API server does not need it to
# start, so it is created while the API server starts.
client_certificate() {
  printf '%s\n' 'extendedKeyUsage=clientAuth' >"$PKI/admin.conf"
  {
    openssl genrsa -out "$PKI/admin.key" 2048 && signed_certificate admin /O=system:masters/CN=admin
  } >>"$PKI/openssl.log" 2>&1 || die "openssl could not create the key of the administrator:" "$(tail -n 5 "$PKI/openssl.log")"
}

signed_certificate() {
  local name=$1 subject=$2
  openssl req -new -key "$PKI/$name.key" -subj "$subject" -out "$PKI/$name.csr"
  openssl x509 -req -in "$PKI/$name.csr" -CA "$PKI/ca.crt" -CAkey "$PKI/ca.key" -set_serial "0x$(random_hex)" \
    -days 365 -extfile "$PKI/$name.conf" -out "$PKI/$name.crt"
}

# --- users ----------------------------------------------------------------------------------------------------

# The static tokens: token,user,uid,groups. Plain users have no permissions by default.
create_tokens() {
  local user
  mkdir -p "$INSTANCE/tokens"
  for user in $USERS controller-manager scheduler kwok; do
    random_hex >"$INSTANCE/tokens/$user"
    printf '%s,%s,%s,"%s"\n' "$(cat "$INSTANCE/tokens/$user")" "$(user_name "$user")" "$user" "$(user_groups "$user")"
  done >"$INSTANCE/tokens.csv"
}

user_name() {
  case "$1" in
    controller-manager | scheduler) printf 'system:kube-%s' "$1" ;;
    *) printf '%s' "$1" ;;
  esac
}

user_groups() {
  case "$1" in
    alice | bob) printf 'developers' ;;
    *) printf 'system:masters' ;;
  esac
}

# One kubeconfig with a context per user, and one file per user. The administrator's has a client certificate.
write_kubeconfigs() {
  local user ca
  ca=$(base64_of "$PKI/ca.crt")
  for user in $USERS controller-manager scheduler kwok; do
    kubeconfig_for "$user" "$ca" "$user" >"$INSTANCE/kubeconfig-$user"
  done
  # shellcheck disable=SC2086 # one argument per user
  kubeconfig_for admin "$ca" $USERS >"$INSTANCE/kubeconfig"
}

kubeconfig_for() {
  local current=$1 ca=$2 user
  shift 2
  printf '%s\n' 'apiVersion: v1' 'kind: Config' "current-context: $current" 'clusters:' '- name: reconciler4j' '  cluster:' \
    "    server: https://127.0.0.1:$PORT" "    certificate-authority-data: $ca" 'contexts:'
  for user in "$@"; do
    printf '%s\n' "- name: $user" "  context: {cluster: reconciler4j, user: $user}"
  done
  printf 'users:\n'
  for user in "$@"; do
    printf '%s\n' "- name: $user" '  user:' "$(credentials_of "$user")"
  done
}

credentials_of() {
  if [ "$1" = admin ] && [ -f "$PKI/admin.crt" ]; then
    printf '    client-certificate-data: %s\n' "$(base64_of "$PKI/admin.crt")"
    printf '    client-key-data: %s' "$(base64_of "$PKI/admin.key")"
  else
    printf '    token: %s' "$(cat "$INSTANCE/tokens/$1")"
  fi
}

base64_of() { openssl base64 -A -in "$1"; }

# What a caller wants to know, as shell assignments; also the mark that the instance is complete.
write_env() {
  {
    printf 'export KUBECONFIG=%q\n' "$INSTANCE/kubeconfig"
    printf 'export DEV_KUBERNETES_INSTANCE=%q\n' "$INSTANCE"
    printf 'export DEV_KUBERNETES_SERVER=%q\n' "https://127.0.0.1:$PORT"
    printf 'export DEV_KUBERNETES_BINARIES=%q\n' "$BIN"
  } | write_file "$INSTANCE/env"
}

# --- requests -------------------------------------------------------------------------------------------------

# Asks the API server as the administrator. Arguments: path, further arguments of curl.
api() {
  local path=$1
  shift
  curl --silent --max-time 10 --noproxy '*' --cacert "$INSTANCE/pki/ca.crt" --config "$INSTANCE/curl.conf" "$@" "https://127.0.0.1:$PORT$path"
}

# The token goes into a file, because all users of the machine can see the arguments of a program.
write_curl_config() { printf 'header = "Authorization: Bearer %s"\n' "$(cat "$INSTANCE/tokens/admin")" >"$INSTANCE/curl.conf"; }
