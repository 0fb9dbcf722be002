{{- define "ballast.labels" -}}
app.kubernetes.io/name: ballast
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "ballast.selector" -}}
app.kubernetes.io/name: ballast
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- /* The configuration with what the cluster decides; what values say of these keys would not fit the probes. */ -}}
{{- define "ballast.config" -}}
{{- /* Not a default in values.yaml: Helm merges maps, and the example's pool would stay in every user's file. */ -}}
{{- $config := .Values.config | default (.Files.Get "files/config.yaml" | fromYaml) }}
{{- range list "grace" "data_dir" "probes" "dashboard" }}
{{- if hasKey $config . }}
{{- fail (printf "config.%s: set by the chart (expected: graceSeconds, dataVolume, probes or dashboard beside config)" .) }}
{{- end }}
{{- end }}
{{- $name := printf "%s-admin" .Release.Name }}
{{- $dashboard := dict "bind" (printf "127.0.0.1:%d" (int .Values.dashboard.port)) }}
{{- if .Values.dashboard.secret }}
{{- $hosts := concat (list $name (printf "%s.%s" $name .Release.Namespace) (printf "%s.%s.svc" $name .Release.Namespace)) .Values.dashboard.hosts }}
{{- $user := dict "name" "operator" "password_hash" "${LB_PASSWORD_HASH}" "role" "operator" }}
{{- $token := dict "name" "deploy" "token_hash" "${LB_TOKEN_HASH}" "role" "operator" }}
{{- $dashboard = dict "bind" (printf "0.0.0.0:%d" (int .Values.dashboard.port)) "hosts" $hosts "users" (list $user) "tokens" (list $token) }}
{{- end }}
{{- $own := dict "grace" (printf "%ds" (int .Values.graceSeconds)) "data_dir" "/var/lib/ballast" "probes" (dict "bind" (printf "0.0.0.0:%d" (int .Values.probes.port))) "dashboard" $dashboard }}
{{- with .Values.cluster }}
{{- if .secret }}
{{- if hasKey $config "cluster" }}
{{- fail "config.cluster: set by the chart (expected: cluster beside config)" }}
{{- end }}
{{- if gt (int .voters) (int $.Values.replicas) }}
{{- fail (printf "cluster.voters: %d voters but %d replicas (expected: at most as many voters as replicas)" (int .voters) (int $.Values.replicas)) }}
{{- end }}
{{- if not (has (int .voters) (list 1 3 5)) }}
{{- fail (printf "cluster.voters: %d (expected: 1, 3 or 5)" (int .voters)) }}
{{- end }}
{{- $voters := list }}
{{- range until (int .voters) }}
{{- $voters = append $voters (printf "%s-%d" $.Release.Name .) }}
{{- end }}
{{- $peers := dict "dns" (printf "%s-nodes" $.Release.Name) "port" (int .port) }}
{{- $files := "/etc/ballast-cluster" }}
{{- $tls := dict "certificate" (printf "%s/${POD_NAME}.crt" $files) "key" (printf "%s/${POD_NAME}.key" $files) "ca" (printf "%s/ca.crt" $files) }}
{{- $_ := set $own "cluster" (dict "name" (.name | default $.Release.Name) "bind" (printf "0.0.0.0:%d" (int .port)) "peers" $peers "voters" $voters "tls" $tls) }}
{{- end }}
{{- end }}
{{- toYaml (merge $own (deepCopy $config)) }}
{{- end }}
