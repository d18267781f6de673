# shellcheck shell=bash
# Jobs and CronJobs.

# Arguments: name, image, further fields of the specification.
job() {
  cat <<YAML
apiVersion: batch/v1
kind: Job
metadata: {name: $1}
spec:
$3
  template:
    metadata: {labels: {app: $1}}
    spec: {restartPolicy: Never, terminationGracePeriodSeconds: 1, containers: [{name: main, image: "$2"}]}
YAML
}

# Ends a pod with an index. Arguments: Job, index, phase, exit code.
end_index() {
  local selector="app=$1,batch.kubernetes.io/job-completion-index=$2"
  reach_pods "$selector" 1
  end_pod "$(first_running "$selector")" "$3" "$4"
}

reach_condition() { reach True k get "job/$1" -o "jsonpath={.status.conditions[?(@.type==\"$2\")].status}"; }

topic_jobs() {
  objects <<<"$(job good app:1 '  completions: 4
  parallelism: 2')"
  run_last k wait --for=condition=Complete job/good --timeout="${DEADLINE_SECONDS}s"
  objects <<<"$(job bad exits.example/3 '  backoffLimit: 1')"
  reach_condition bad Failed
  objects <<<"$(job late runs.example/app '  activeDeadlineSeconds: 3
  parallelism: 2')"
  reach_condition late Failed
  state jobs,pods
  objects <<<"$(job paused app:1 '  suspend: true')"
  reach_condition paused Suspended
  state jobs
  run k patch job paused --type=merge -p '{"spec":{"suspend":false}}'
  run_last k wait --for=condition=Complete job/paused --timeout="${DEADLINE_SECONDS}s"
  objects <<<"$(job stopped runs.example/app '  parallelism: 2
  completions: 2')"
  reach_pods app=stopped 2
  run k patch job stopped --type=merge -p '{"spec":{"suspend":true}}'
  reach_pods app=stopped 0
  reach_condition stopped Suspended
  objects <<<"$(job gone app:1 '  ttlSecondsAfterFinished: 1')"
  reach_gone job/gone
  reach '' k get pods -l app=gone -o name
  run_sorted k get jobs
  state jobs,pods
  run k delete job good bad
  reach '' k get pods -l app=good -o name
  run k delete job late --cascade=orphan
  reach '' k get pods -l app=late -o 'jsonpath={.items[*].metadata.ownerReferences[*].name}'
  state jobs,pods
}

topic_indexedjobs() {
  objects <<<"$(job each runs.example/app '  completions: 4
  parallelism: 4
  completionMode: Indexed
  backoffLimitPerIndex: 0
  maxFailedIndexes: 2')"
  end_index each 1 Failed 1
  end_index each 0 Succeeded 0
  end_index each 2 Succeeded 0
  end_index each 3 Succeeded 0
  reach_condition each Failed
  objects <<<"$(job retried runs.example/app '  completions: 2
  parallelism: 2
  completionMode: Indexed
  backoffLimit: 3')"
  end_index retried 0 Failed 1
  end_index retried 1 Succeeded 0
  end_index retried 0 Succeeded 0
  reach_condition retried Complete
  objects <<<"$(job many runs.example/app '  completions: 3
  parallelism: 3
  completionMode: Indexed
  backoffLimitPerIndex: 1
  maxFailedIndexes: 0')"
  end_index many 2 Failed 1
  reach 1 k get pods -l app=many,batch.kubernetes.io/job-completion-index=2 --field-selector=status.phase=Running \
    -o 'jsonpath={.items[*].metadata.annotations.batch\.kubernetes\.io/job-index-failure-count}'
  end_index many 2 Failed 1
  reach_condition many Failed
  reach_pods app=many 0
  objects <<<"$(job enough runs.example/app '  completions: 3
  parallelism: 3
  completionMode: Indexed
  successPolicy: {rules: [{succeededIndexes: "0", succeededCount: 1}]}')"
  end_index enough 0 Succeeded 0
  reach_condition enough Complete
  reach_pods app=enough 0
  run_sorted k get jobs
  state jobs,pods
}

topic_failurepolicies() {
  objects <<<"$(job stop exits.example/42 '  backoffLimit: 5
  podFailurePolicy: {rules: [{action: FailJob, onExitCodes: {containerName: main, operator: In, values: [42]}}]}')"
  reach_condition stop Failed
  objects <<<"$(job ignore runs.example/app '  backoffLimit: 0
  podFailurePolicy: {rules: [{action: Ignore, onExitCodes: {operator: In, values: [7]}}, {action: Count, onExitCodes: {operator: In, values: [8]}}]}')"
  reach_pods app=ignore 1
  end_pod "$(first_running app=ignore)" Failed 7
  reach_pods app=ignore 1
  end_pod "$(first_running app=ignore)" Failed 8
  reach_condition ignore Failed
  objects <<<"$(job skip runs.example/app '  completions: 2
  parallelism: 2
  completionMode: Indexed
  backoffLimitPerIndex: 3
  podFailurePolicy: {rules: [{action: FailIndex, onExitCodes: {operator: NotIn, values: [1, 2]}}]}')"
  end_index skip 0 Failed 42
  end_index skip 1 Succeeded 0
  reach_condition skip Failed
  objects <<<"$(job replaced runs.example/app '  podReplacementPolicy: Failed
  backoffLimit: 2')"
  reach_pods app=replaced 1
  end_pod "$(first_running app=replaced)" Failed 1
  reach_pods app=replaced 1
  end_pod "$(first_running app=replaced)" Succeeded 0
  reach_condition replaced Complete
  run_sorted k get jobs
  state jobs,pods
}

# Arguments: name, schedule, image, further fields of the specification.
cron_job() {
  cat <<YAML
apiVersion: batch/v1
kind: CronJob
metadata: {name: $1}
spec:
  schedule: "$2"
$4
  jobTemplate:
    spec:
      template:
        metadata: {labels: {app: $1}}
        spec: {restartPolicy: Never, containers: [{name: main, image: "$3"}]}
YAML
}

hours_ago() { date -u -d "@$(($(date +%s) - $1 * 3600))" +%Y-%m-%dT%H:%M:%SZ 2>/dev/null || date -u -v "-$1H" +%Y-%m-%dT%H:%M:%SZ; }

# Every second minute, with the next time more than a minute away.
often() { if [ $((10#$(date +%M) % 2)) -eq 0 ]; then printf '*/2 * * * *'; else printf '1-59/2 * * * *'; fi; }

# A time of each hour that is half an hour away, so that no schedule is due while the script runs. Argument: minutes after it.
hourly() { printf '%s * * * *' $(((10#$SCRIPT_MINUTE + 30 + $1) % 60)); }
SCRIPT_MINUTE=$(date +%M)

# Lets a suspended CronJob have been scheduled some hours ago, and continues it: what it finds when its clock has jumped. The schedule
# is changed before, because a change of the schedule waits for the next time. Arguments: name, hours, schedule.
jump() {
  printf '$ the clock of %s jumps by %s hours\n' "$1" "$2"
  k patch cronjob "$1" --type=merge -p "{\"spec\":{\"schedule\":\"$3\"}}" >/dev/null
  k patch cronjob "$1" --subresource=status --type=merge -p "{\"status\":{\"lastScheduleTime\":\"$(hours_ago "$2")\"}}" >/dev/null
  run k patch cronjob "$1" --type=merge -p '{"spec":{"suspend":false}}'
}

# The clock of the machine is not changed: the former time of a schedule is.
topic_cronjobs() {
  local name first
  objects <<<"$(cron_job missed "$(hourly 0)" app:1 '  suspend: true')"
  objects <<<"$(cron_job forbid "$(hourly 0)" runs.example/app '  suspend: true
  concurrencyPolicy: Forbid')"
  objects <<<"$(cron_job replace "$(hourly 0)" runs.example/app '  suspend: true
  concurrencyPolicy: Replace')"
  objects <<<"$(cron_job nowhere '0 * * * *' app:1 '  timeZone: Nowhere/City')"
  objects <<<"$(cron_job invalid 'TZ=UTC 0 * * * *' app:1 '')"
  for name in missed forbid replace; do jump "$name" 5 "$(hourly 0)"; done
  reach_pods app=missed 1 Succeeded
  reach_pods app=forbid 1
  reach_pods app=replace 1
  reach_field cronjob/missed .status.active ''
  run_sorted k get cronjobs
  state cronjobs,jobs
  first=$(k get jobs -o name | grep replace)
  for name in forbid replace; do
    run k patch cronjob "$name" --type=merge -p '{"spec":{"suspend":true}}'
    jump "$name" 3 "$(hourly 1)"
  done
  reach_report forbid JobAlreadyActive
  reach_gone "$first"
  reach_pods app=replace 1
  state cronjobs,jobs
  cron_jobs_by_hand
  cron_jobs_behind
}

cron_jobs_by_hand() {
  objects <<<"$(cron_job manual '0 0 29 2 *' app:1 '  timeZone: Asia/Tokyo
  successfulJobsHistoryLimit: 1')"
  run k create job --from=cronjob/manual by-hand
  run_last k wait --for=condition=Complete job/by-hand --timeout="${DEADLINE_SECONDS}s"
  run k create job --from=cronjob/manual by-hand-too
  run_last k wait --for=condition=Complete job/by-hand-too --timeout="${DEADLINE_SECONDS}s"
  reach_gone job/by-hand
}

cron_jobs_behind() {
  objects <<<"$(cron_job behind "$(hourly 0)" app:1 '  suspend: true
  startingDeadlineSeconds: 1')"
  jump behind 6 "$(hourly 0)"
  objects <<<"$(cron_job often '0 0 29 2 *' runs.example/app '  suspend: true')"
  jump often 6 "$(often)"
  reach_pods app=often 1
  reach_report often TooManyMissedTimes
  k patch cronjob often --type=merge -p '{"spec":{"suspend":true,"schedule":"0 0 29 2 *"}}' >/dev/null
  state cronjobs,jobs
  run k delete cronjob often missed --cascade=foreground
  reach '' k get jobs,pods -l app=often -o name
  run_sorted k get jobs
}

# Waits for a report about an object.
reach_report() {
  reach yes report_exists "$1" "$2"
}

report_exists() {
  [ -z "$(k get events --field-selector "involvedObject.name=$1,reason=$2" -o name)" ] || printf yes
}
