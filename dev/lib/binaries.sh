# shellcheck shell=bash
# Finds the programs of the control plane: KUBEBUILDER_ASSETS, the cache, or a build from Go modules.

CONTROL_PLANE_MODULE="$DEV_DIR/tools/control-plane"
HELM_MODULE="$DEV_DIR/tools/helm"

# A module for each other version, such as 1.31: its API server, controller manager and scheduler.
LINES_FOLDER="$DEV_DIR/tools/lines"

# Part of the name of the cache folder. Increase it when the build changes.
BUILD_RECIPE=1

ALL_PROGRAMS="etcd kube-apiserver kube-controller-manager kube-scheduler kwok kubectl"

# What is built with the same flags shares its compiled packages.
COMPILER_FLAGS=(-trimpath -tags=grpcnotrace -gcflags=all=-dwarf=false)

# Sets BIN, the folder with the programs, and builds them if they are missing.
find_binaries() {
  [ -z "${BIN:-}" ] || return 0
  if [ -n "${KUBEBUILDER_ASSETS:-}" ]; then
    use_assets "$KUBEBUILDER_ASSETS"
    return
  fi
  BIN=$(cache_folder "$CONTROL_PLANE_MODULE" "$(module_version k8s.io/kubernetes)")
  [ -f "$BIN/.complete" ] || build_control_plane
  [ -z "${LINE:-}" ] || [ "$LINE" = "$(current_line)" ] || find_line
}

# The version that the other tools and tests use, such as 1.37.
current_line() { module_version k8s.io/kubernetes | sed -E 's/^v(1\.[0-9]+)\..*/\1/'; }

# Sets BIN to the programs of LINE. etcd, kwok and kubectl are those of the current version.
find_line() {
  local module="$LINES_FOLDER/$LINE" current=$BIN version
  [ -f "$module/go.mod" ] || die "There is no Kubernetes '$LINE' here." "The versions are: $(lines | tr '\n' ' ')"
  version=$(line_version "$LINE")
  BIN=$(cache_folder "$module" "$version")
  [ ! -f "$BIN/.complete" ] || return 0
  check_go
  lock_build "$BIN"
  if [ ! -f "$BIN/.complete" ]; then
    say "Building Kubernetes $version from Go modules into $BIN"
    go_build "$module" "$BIN.building" "-s -w $(version_flags "$version")" \
      k8s.io/kubernetes/cmd/kube-apiserver k8s.io/kubernetes/cmd/kube-controller-manager k8s.io/kubernetes/cmd/kube-scheduler
    ln "$current/etcd" "$current/kwok" "$current/kubectl" "$BIN.building/" 2>/dev/null ||
      cp "$current/etcd" "$current/kwok" "$current/kubectl" "$BIN.building/"
    # shellcheck disable=SC2086 # one argument per program
    verify_programs "$BIN.building" $ALL_PROGRAMS
    keep_build "$BIN"
  fi
  exec 8>&-
}

line_version() { awk '$1 == "k8s.io/kubernetes" { print $2; exit } $2 == "k8s.io/kubernetes" { print $3; exit }' "$LINES_FOLDER/$1/go.mod"; }

# All versions, the oldest first.
lines() { { (cd "$LINES_FOLDER" && printf '%s\n' 1.*) && current_line; } | sort -t . -k 2n; }

list_lines() {
  local line folder
  for line in $(lines); do
    if [ "$line" = "$(current_line)" ]; then
      folder=$(cache_folder "$CONTROL_PLANE_MODULE" "$(module_version k8s.io/kubernetes)")
      printf '%-5s  %-8s  %s\n' "$line" "$(module_version k8s.io/kubernetes)" "$(is_built "$folder")  (default)"
    else
      folder=$(cache_folder "$LINES_FOLDER/$line" "$(line_version "$line")")
      printf '%-5s  %-8s  %s\n' "$line" "$(line_version "$line")" "$(is_built "$folder")"
    fi
  done
}

is_built() { if [ -f "$1/.complete" ]; then printf 'built'; else printf 'not built'; fi; }

use_assets() {
  local program
  for program in etcd kube-apiserver; do
    [ -x "$1/$program" ] || die "KUBEBUILDER_ASSETS is $1, which has no executable '$program'." \
      "Set it to a folder with etcd and kube-apiserver, or unset it to build both from Go modules."
  done
  BIN=$(cd "$1" && pwd)
}

has_program() { [ -x "$BIN/$1" ]; }

module_version() { awk -v module="$1" '$1 == module { print $2; exit }' "$CONTROL_PLANE_MODULE/go.mod"; }

# Sets PROGRAM to kubectl, of the instance or on the PATH.
find_kubectl() {
  PROGRAM="$BIN/kubectl"
  [ -x "$PROGRAM" ] || PROGRAM=$(command -v kubectl) || die "kubectl is neither in $BIN nor on the PATH."
}

# The folder for the programs of a module, named after the version and all pins of the build.
cache_folder() {
  local module=$1 version=$2 pins
  pins=$(cat "$module/go.mod" "$module/go.sum" - <<<"$BUILD_RECIPE" | openssl dgst -sha256 -r | cut -c1-12)
  printf '%s/%s/%s-%s' "${XDG_CACHE_HOME:-$HOME/.cache}/reconciler4j" "$(basename "$module")" "$version" "$pins"
}

check_go() {
  command -v go >/dev/null 2>&1 || die "Go is missing. It builds etcd, kube-apiserver and the other programs once (about 7 minutes on two cores)." \
    "Install Go $(go_needed) or newer (https://go.dev/dl/) and put it on the PATH," \
    "or set KUBEBUILDER_ASSETS to a folder with etcd and kube-apiserver."
  local found
  found=$(cd "$CONTROL_PLANE_MODULE" && GOFLAGS='' GOWORK=off go version 2>&1) || die "This Go is too old: $(go version 2>&1 | head -n 1)." \
    "Install Go $(go_needed) or newer (https://go.dev/dl/). Output of Go: $found"
}

go_needed() { awk '$1 == "go" { print $2; exit }' "$CONTROL_PLANE_MODULE/go.mod"; }

build_control_plane() {
  check_go
  lock_build "$BIN"
  if [ ! -f "$BIN/.complete" ]; then
    say "Building Kubernetes $(module_version k8s.io/kubernetes), etcd $(module_version go.etcd.io/etcd/server/v3) and" \
      "kwok $(module_version sigs.k8s.io/kwok) from Go modules into $BIN"
    say "The build runs once and takes about 7 minutes on two cores"
    compile_control_plane "$BIN.building"
    # shellcheck disable=SC2086 # one argument per program
    verify_programs "$BIN.building" $ALL_PROGRAMS
    keep_build "$BIN"
  fi
  exec 8>&-
}

lock_build() {
  mkdir -p "$(dirname "$1")" || die "cannot create $(dirname "$1")." "Set XDG_CACHE_HOME to a folder that you may write to."
  lock 8 "$1.lock" "Waiting for another build of the same programs"
}

# Gives the folder its final name after all programs have been verified.
keep_build() {
  touch "$1.building/.complete"
  rm -rf "$1"
  mv "$1.building" "$1"
}

compile_control_plane() {
  local out=$1 flags
  flags="-s -w $(version_flags "$(module_version k8s.io/kubernetes)")"
  flags="$flags -X sigs.k8s.io/kwok/pkg/consts.Version=$(module_version sigs.k8s.io/kwok)"
  go_build "$CONTROL_PLANE_MODULE" "$out" "$flags" go.etcd.io/etcd/server/v3 sigs.k8s.io/kwok/cmd/kwok \
    k8s.io/kubernetes/cmd/kube-apiserver k8s.io/kubernetes/cmd/kube-controller-manager \
    k8s.io/kubernetes/cmd/kube-scheduler k8s.io/kubernetes/cmd/kubectl
  mv "$out/server" "$out/etcd"
}

version_flags() {
  local package=k8s.io/component-base/version minor=${1#v1.}
  printf -- '-X %s.gitVersion=%s -X %s.gitMajor=1 -X %s.gitMinor=%s -X %s.gitTreeState=clean' \
    $package "$1" $package $package "${minor%%.*}" $package
}

# Sets PROGRAM to Helm, and builds it if it is missing.
find_helm() {
  local version folder
  version=$(awk '$1 == "helm.sh/helm/v3" { print $2 } $2 == "helm.sh/helm/v3" { print $3 }' "$HELM_MODULE/go.mod" | head -n 1)
  folder=$(cache_folder "$HELM_MODULE" "$version")
  PROGRAM="$folder/helm"
  [ ! -f "$folder/.complete" ] || return 0
  check_go
  lock_build "$folder"
  if [ ! -f "$folder/.complete" ]; then
    say "Building Helm $version from Go modules into $folder"
    go_build "$HELM_MODULE" "$folder.building" "-s -w $(helm_flags "$version")" helm.sh/helm/v3/cmd/helm
    verify_programs "$folder.building" helm
    keep_build "$folder"
  fi
  exec 8>&-
}

# The version of Helm, and the Kubernetes version for which it renders charts without a cluster.
helm_flags() {
  local minor
  minor=$(awk '$1 == "k8s.io/client-go" { print $2; exit }' "$HELM_MODULE/go.mod")
  minor=${minor#v0.}
  printf -- '-X helm.sh/helm/v3/internal/version.version=%s' "$1"
  printf -- ' -X helm.sh/helm/v3/pkg/%s.k8sVersionMajor=1 -X helm.sh/helm/v3/pkg/%s.k8sVersionMinor=%s' \
    chartutil chartutil "${minor%%.*}" lint/rules lint/rules "${minor%%.*}"
}

# One call for all programs, so that the compiler can work while a program is linked. BUILD_TAGS has further build tags,
# DEV_BUILD_JOBS the number of packages that are compiled at once.
# Arguments: module folder, output folder (which is emptied), linker flags, packages.
go_build() {
  local module=$1 out=$2 flags=$3 log="$2.log" started compiler seconds=0
  shift 3
  rm -rf "$out"
  mkdir -p "$out"
  started=$(now_millis)
  (cd "$module" && GOFLAGS='' GOWORK=off CGO_ENABLED=0 exec nice -n 5 go build -v ${DEV_BUILD_JOBS:+"-p=$DEV_BUILD_JOBS"} -mod=readonly -buildvcs=false "${COMPILER_FLAGS[@]}" \
    ${BUILD_TAGS:+"-tags=grpcnotrace,$BUILD_TAGS"} -ldflags="$flags" -o "$out/" "$@" >"$log" 2>&1) &
  compiler=$!
  trap 'kill "$compiler" 2>/dev/null; die "The build was interrupted. A later build continues it."' INT TERM HUP
  while kill -0 "$compiler" 2>/dev/null; do
    sleep 1
    seconds=$((seconds + 1))
    [ $((seconds % 15)) -ne 0 ] || say "... $(build_progress "$log") ($(seconds_since "$started") s)"
  done
  trap - INT TERM HUP
  wait "$compiler" || die "The build failed. Its log is $log, which ends with:" "$(tail -n 15 "$log")"
  rm -f "$log"
  say "Built in $(seconds_since "$started") s"
}

build_progress() {
  local downloads packages
  downloads=$(grep -c '^go: downloading' "$1" || true)
  packages=$(grep -vc '^go: ' "$1" || true)
  printf '%s modules downloaded, %s packages compiled' "$downloads" "$packages"
}

# Runs every program once, so that no broken program gets into the cache.
verify_programs() {
  local folder=$1 program answer
  shift
  for program in "$@"; do
    answer=$(program_version "$folder" "$program" 2>&1) || die "$program was built, but does not start:" "$answer"
    say "$program: $(printf '%s' "$answer" | head -n 1)"
  done
}

program_version() {
  case "$2" in
    kubectl) "$1/kubectl" version --client ;;
    helm) "$1/helm" version --short ;;
    *) "$1/$2" --version ;;
  esac
}
