{{- /* The pod of the Deployment and of the StatefulSet. */ -}}
{{- define "ballast.pod" -}}
metadata:
  labels:
    {{- include "ballast.labels" . | nindent 4 }}
  annotations:
    prometheus.io/scrape: "true"
    prometheus.io/port: {{ .Values.probes.port | quote }}
    prometheus.io/path: /metrics
    {{- with .Values.podAnnotations }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
spec:
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.serviceAccount.name }}
  serviceAccountName: {{ . }}
  {{- end }}
  automountServiceAccountToken: {{ ne .Values.serviceAccount.name "" }}
  terminationGracePeriodSeconds: {{ add (int .Values.graceSeconds) (int .Values.preStopSeconds) 5 }}
  securityContext:
    runAsNonRoot: true
    runAsUser: 10001
    runAsGroup: 10001
    fsGroup: 10001
    seccompProfile: {type: RuntimeDefault}
  containers:
    - name: ballast
      image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      args: [run, /etc/ballast/config.yaml, --watch]
      {{- if or .Values.env .Values.dashboard.secret .Values.cluster.secret }}
      env:
        {{- if .Values.cluster.secret }}
        - name: POD_NAME
          valueFrom: {fieldRef: {fieldPath: metadata.name}}
        {{- end }}
        {{- with .Values.dashboard.secret }}
        - name: LB_PASSWORD_HASH
          valueFrom: {secretKeyRef: {name: {{ . }}, key: password_hash}}
        - name: LB_TOKEN_HASH
          valueFrom: {secretKeyRef: {name: {{ . }}, key: token_hash}}
        {{- end }}
        {{- with .Values.env }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      {{- end }}
      {{- with .Values.envFrom }}
      envFrom:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      ports:
        {{- range .Values.service.ports }}
        - {name: {{ .name }}, containerPort: {{ .targetPort }}, protocol: {{ .protocol | default "TCP" }}}
        {{- end }}
        {{- if .Values.dashboard.secret }}
        - {name: dashboard, containerPort: {{ .Values.dashboard.port }}}
        {{- end }}
        - {name: probes, containerPort: {{ .Values.probes.port }}}
        {{- if .Values.cluster.secret }}
        - {name: cluster, containerPort: {{ .Values.cluster.port }}}
        {{- end }}
      {{- if .Values.preStopSeconds }}
      lifecycle:
        preStop: {exec: {command: [sleep, {{ .Values.preStopSeconds | quote }}]}}
      {{- end }}
      # The process is restarted when it is dead, not when its backends are down.
      startupProbe:
        httpGet: {path: /healthz, port: probes}
        periodSeconds: 1
        failureThreshold: 60
      livenessProbe:
        httpGet: {path: /healthz, port: probes}
        periodSeconds: 10
      readinessProbe:
        httpGet: {path: /readyz, port: probes}
        periodSeconds: 2
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      securityContext:
        allowPrivilegeEscalation: false
        readOnlyRootFilesystem: true
        capabilities: {drop: [ALL]}
      volumeMounts:
        - {name: config, mountPath: /etc/ballast, readOnly: true}
        - {name: data, mountPath: /var/lib/ballast}
        - {name: tmp, mountPath: /tmp}
        {{- if .Values.cluster.secret }}
        - {name: cluster, mountPath: /etc/ballast-cluster, readOnly: true}
        {{- end }}
        {{- range .Values.volumes }}
        - {name: {{ .name }}, mountPath: {{ .mountPath }}, readOnly: true}
        {{- end }}
  volumes:
    - {name: config, configMap: {name: {{ .Release.Name }}}}
    {{- if .Values.cluster.secret }}
    - {name: cluster, secret: {secretName: {{ .Values.cluster.secret }}, defaultMode: 0440}}
    {{- else }}
    - name: data
      {{- toYaml .Values.dataVolume | nindent 6 }}
    {{- end }}
    - {name: tmp, emptyDir: {}}
    {{- range .Values.volumes }}
    - name: {{ .name }}
      {{- toYaml .source | nindent 6 }}
    {{- end }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "ballast.selector" . | nindent 10 }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end }}
