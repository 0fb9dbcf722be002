package io.ballast.dashboard.metrics;

import io.ballast.core.stats.Metric;
import io.ballast.core.stats.Metric.Kind;
import java.util.List;

/**
 * The metrics that the dashboard computes itself: process, discovery, health, response time and request
 * metrics. Other modules declare their metrics as {@link io.ballast.core.stats.Statistic}. {@code
 * docs/metrics.md} lists all metrics.
 */
public enum BallastMeter {
    VERSION(Kind.GAUGE, "ballast.version", "", "Always 1; the label holds the version", "version"),
    READY(Kind.GAUGE, "ballast.ready", "", "1 while the process accepts new traffic, as in /readyz"),
    PROCESS_RESIDENT(
            Kind.GAUGE,
            "ballast.process.resident",
            "bytes",
            "Resident memory of the process; 0 if the system does not report it"),
    DASHBOARD_STREAMS(
            Kind.GAUGE, "ballast.dashboard.streams", "", "Dashboard pages that are connected to the event stream"),
    LAST_RELOAD_OK(
            Kind.GAUGE,
            "ballast.last.reload.ok",
            "",
            "0 if the last reload was refused, so that the file differs from the active configuration; else"
                    + " 1, also before the first reload"),
    THREAD_STALLS(
            Kind.COUNTER,
            "ballast.thread.stalls",
            "",
            "How often an event loop or another watched thread sent no heartbeat for three seconds"),
    THREAD_STARVATIONS(
            Kind.COUNTER,
            "ballast.thread.starvations",
            "",
            "Number of times that a watched thread sent no heartbeat because it was runnable and got too little CPU"),

    POOL_BACKENDS(Kind.GAUGE, "ballast.pool.backends", "", "Backends in the pool", "pool"),
    POOL_USABLE(Kind.GAUGE, "ballast.pool.usable.backends", "", "Backends that take traffic now", "pool"),
    POOL_PANIC(
            Kind.GAUGE,
            "ballast.pool.panic",
            "",
            "1 while the pool is in panic: so few backends are healthy that requests go to all of them; otherwise 0",
            "pool"),

    POOL_REQUESTS(
            Kind.COUNTER,
            "ballast.pool.requests",
            "",
            "Completed client requests that were routed to the pool; each counts once, even if several backends"
                    + " were tried",
            "pool"),
    POOL_ERRORS(
            Kind.COUNTER,
            "ballast.pool.errors",
            "",
            "Completed requests of the pool that failed through no fault of the client: with a 5xx response"
                    + " of a backend or of Ballast, or because the exchange was aborted",
            "pool"),

    POOL_RESPONSE_TIME(
            Kind.HISTOGRAM,
            "ballast.pool.response.time",
            "seconds",
            "Time from passing the request to a connection until the end of the response, for successful"
                    + " exchanges",
            "pool"),

    DISCOVERY_BACKENDS(
            Kind.GAUGE,
            "ballast.discovery.backends",
            "",
            "Backends in use that the discovery source of the pool reports",
            "pool",
            "source"),
    DISCOVERY_LAST_SUCCESS(
            Kind.GAUGE,
            "ballast.discovery.last.success",
            "seconds",
            "Time of the discovery source's last answer, in seconds since 1970; 0 if there was none since the start of"
                    + " the process",
            "pool",
            "source"),
    DISCOVERY_FAILURES(
            Kind.COUNTER,
            "ballast.discovery.failures",
            "",
            "Failed queries of the discovery source; its last result stays in use",
            "pool",
            "source"),

    DISCOVERY_REFUSED(
            Kind.GAUGE,
            "ballast.discovery.refused",
            "",
            "1 while the result of discovery cannot be applied and is retried; the previous backends stay" + " in use"),

    OVERRIDES(
            Kind.GAUGE,
            "ballast.overrides",
            "",
            "Active overrides of external sources by what they set: up, drain, down or weight",
            "sets"),
    OVERRIDE_CHANGES(
            Kind.COUNTER,
            "ballast.override.changes",
            "",
            "Overrides of external sources that were set (or changed or renewed), removed, expired, or refused because"
                    + " of a limit, a missing backend or the last usable backend",
            "change"),

    BACKEND_WEIGHT(
            Kind.GAUGE,
            "ballast.backend.weight",
            "",
            "Current weight: as configured, or as overridden by an operator or an external source",
            "pool",
            "backend"),
    BACKEND_STATE(
            Kind.GAUGE,
            "ballast.backend.state",
            "",
            "1 for the current state of the backend, 0 for the other states: unknown, up, down, draining, ejected,"
                    + " maintenance",
            "pool",
            "backend",
            "state"),
    BACKEND_EJECTIONS(
            Kind.COUNTER,
            "ballast.backend.ejections",
            "",
            "How often the backend was ejected because requests failed",
            "pool",
            "backend"),
    BACKEND_CHECK_TIME(
            Kind.GAUGE,
            "ballast.backend.check.duration",
            "seconds",
            "Duration of the last health check, 0 before the first",
            "pool",
            "backend"),
    BACKEND_CHECK_OK(
            Kind.GAUGE, "ballast.backend.check.ok", "", "1 if the last health check succeeded", "pool", "backend"),
    BACKEND_RESPONSE_TIME(
            Kind.HISTOGRAM,
            "ballast.backend.response.time",
            "seconds",
            "Response time, measured as for the pool, for each backend; absent with dashboard.histograms per_pool",
            "pool",
            "backend"),

    LISTENER_REQUESTS(
            Kind.COUNTER,
            "ballast.listener.requests",
            "",
            "Requests received from clients, malformed ones included",
            "listener"),
    LISTENER_COMPLETED(
            Kind.COUNTER,
            "ballast.listener.completed.requests",
            "",
            "Completed requests of clients, regardless of their result",
            "listener"),
    LISTENER_ERRORS(
            Kind.COUNTER,
            "ballast.listener.errors",
            "",
            "Completed requests that failed through no fault of the client: with a 5xx response of a backend or"
                    + " of Ballast, or because the exchange was aborted",
            "listener"),
    LISTENER_IN_FLIGHT(
            Kind.GAUGE,
            "ballast.listener.in.flight",
            "",
            "Current requests, including those that wait for a backend",
            "listener"),
    LISTENER_RESPONSES(
            Kind.COUNTER,
            "ballast.listener.responses",
            "",
            "Responses sent to clients, by class: 1xx to 5xx",
            "listener",
            "class"),
    CERTIFICATE_EXPIRY(
            Kind.GAUGE,
            "ballast.certificate.expiry",
            "seconds",
            "Expiry time of a listener's certificate, in seconds since 1970; the label is the certificate file",
            "listener",
            "certificate"),

    ACME_EXPIRY(
            Kind.GAUGE,
            "ballast.acme.expiry",
            "seconds",
            "Expiry time of the certificate ordered by ACME, in seconds since 1970; 0 before the first one",
            "name"),
    ACME_LAST_SUCCESS(
            Kind.GAUGE,
            "ballast.acme.last.success",
            "seconds",
            "Time of the last successful order of the certificate, in seconds since 1970; 0 if there was none since the"
                    + " start of the process",
            "name"),
    ACME_FAILURES(
            Kind.COUNTER,
            "ballast.acme.failures",
            "",
            "Failed orders of the certificate; the last certificate stays in use",
            "name"),
    ACME_ISSUER(
            Kind.GAUGE,
            "ballast.acme.issuer",
            "",
            "1 for the issuer of the present certificate ordered by ACME",
            "name",
            "issuer"),
    ACME_ON_DEMAND(
            Kind.COUNTER,
            "ballast.acme.on.demand",
            "",
            "Names of acme.on_demand that clients asked for: certificates issued, orders failed, names refused by the"
                    + " URL, names for which it gave no answer (unanswered), and names dropped because a limit was"
                    + " reached",
            "result"),

    OTLP_SPANS(Kind.COUNTER, "ballast.otlp.spans", "", "Spans of traces that the collector has received over OTLP"),
    OTLP_LOST_SPANS(
            Kind.COUNTER,
            "ballast.otlp.lost.spans",
            "",
            "Spans of traces that could not be sent, because the collector refused them or did not answer in time"),
    OTLP_DROPPED_TRACES(
            Kind.COUNTER,
            "ballast.otlp.dropped.traces",
            "",
            "Requests that were not recorded because the queue of traces was full"),
    OTLP_POINTS(Kind.COUNTER, "ballast.otlp.points", "", "Values of metrics that the collector has received over OTLP"),
    OTLP_LOST_POINTS(Kind.COUNTER, "ballast.otlp.lost.points", "", "Values of metrics that could not be sent"),

    AGENTS(
            Kind.GAUGE,
            "ballast.agents",
            "",
            "Registered agents that are not revoked, by state: reporting or stale, and in addition pending (to be"
                    + " approved); only if agents can report, as all of ballast_agent",
            "state"),
    AGENT_BACKENDS(Kind.GAUGE, "ballast.agent.backends", "", "Backends that agents report"),
    AGENT_REDUCED_BACKENDS(
            Kind.GAUGE,
            "ballast.agent.reduced.backends",
            "",
            "Backends whose weight is reduced because of the load that their agents report"),
    AGENT_LATENCIES(
            Kind.COUNTER,
            "ballast.agent.latencies",
            "",
            "Round-trip times of client networks that agents have reported"),
    AGENT_REPORTS(Kind.COUNTER, "ballast.agent.reports", "", "Reports of agents"),
    AGENT_REFUSED_REQUESTS(
            Kind.COUNTER,
            "ballast.agent.refused.requests",
            "",
            "Requests of agents that were refused, for example because of a wrong token"),

    CLUSTER_NODES(
            Kind.GAUGE,
            "ballast.cluster.nodes",
            "",
            "Connected nodes, this one included; only in a cluster, as all of ballast_cluster"),
    CLUSTER_VOTERS_MISSING(
            Kind.GAUGE, "ballast.cluster.voters.missing", "", "Voters that are not connected to this node"),
    CLUSTER_HAS_MAJORITY(
            Kind.GAUGE,
            "ballast.cluster.has.majority",
            "",
            "1 while this node knows a leader, so that changes can be committed; otherwise 0"),
    CLUSTER_LEADER(Kind.GAUGE, "ballast.cluster.leader", "", "1 on the leader, 0 on the other nodes"),
    CLUSTER_APPLIED(
            Kind.GAUGE,
            "ballast.cluster.applied.position",
            "",
            "Position in the log of the cluster up to which this node has applied all changes"),
    CLUSTER_FACTS(Kind.GAUGE, "ballast.cluster.facts", "", "Facts that the nodes share, such as overrides"),
    CLUSTER_PENDING(
            Kind.GAUGE,
            "ballast.cluster.pending.changes",
            "",
            "Changes that were made on this node, and that the cluster has not committed yet"),
    CLUSTER_PENDING_AGE(
            Kind.GAUGE,
            "ballast.cluster.pending.age",
            "seconds",
            "Age of the oldest pending change of this node; 0 if none is pending"),
    CLUSTER_REJECTED(
            Kind.COUNTER,
            "ballast.cluster.rejected.changes",
            "",
            "Changes of this node that the cluster rejected, because another node changed the same fact or a limit was"
                    + " reached"),
    CLUSTER_REFUSED_CONNECTIONS(
            Kind.COUNTER,
            "ballast.cluster.refused.connections",
            "",
            "Connections between this node and another one that one of them refused: another cluster, a name that the"
                    + " certificate does not contain, a name that is used twice, too many connections"),
    CLUSTER_FAILED_HANDSHAKES(
            Kind.COUNTER,
            "ballast.cluster.failed.handshakes",
            "",
            "Failed TLS handshakes with other nodes, for example because of a certificate of another authority"),
    CLUSTER_DROPPED_MESSAGES(
            Kind.COUNTER,
            "ballast.cluster.dropped.messages",
            "",
            "Messages to other nodes that were dropped because too many bytes were unsent"),
    CLUSTER_ROUND_TRIP(
            Kind.GAUGE,
            "ballast.cluster.round.trip",
            "seconds",
            "Last round trip to a connected node; 0 before the first",
            "node"),
    CLUSTER_OWN_ROWS(
            Kind.GAUGE,
            "ballast.cluster.own.rows",
            "",
            "Observations, such as results of health checks, that this node sends to the others"),
    CLUSTER_OTHER_ROWS(Kind.GAUGE, "ballast.cluster.other.rows", "", "Observations of the other nodes"),
    CLUSTER_SENT_FRAMES(
            Kind.COUNTER,
            "ballast.cluster.sent.frames",
            "",
            "Messages with observations that were sent, counted once for each receiver"),
    CLUSTER_RECEIVED_FRAMES(
            Kind.COUNTER, "ballast.cluster.received.frames", "", "Messages with observations that were received"),
    CLUSTER_LOST_FRAMES(
            Kind.COUNTER,
            "ballast.cluster.lost.frames",
            "",
            "Messages with observations that were not sent or not processed, because the connection was lost, too many"
                    + " bytes waited, or the message was malformed; the observations are repeated"),
    CLUSTER_REFUSED_ROWS(
            Kind.COUNTER,
            "ballast.cluster.refused.rows",
            "",
            "Observations that were not stored, because a limit was reached; they are counted again at each repetition"),
    CLUSTER_OTHER_VOTES(
            Kind.GAUGE,
            "ballast.cluster.other.votes",
            "",
            "Votes of other nodes about backends, which their checks decide"),
    CLUSTER_OVERRULED_BACKENDS(
            Kind.GAUGE,
            "ballast.cluster.overruled.backends",
            "",
            "Backends whose state contradicts the checks of this node, because a quorum decided otherwise"),
    CLUSTER_OVERRULED(
            Kind.COUNTER,
            "ballast.cluster.overruled",
            "",
            "How often a quorum began to overrule the checks of this node"),
    CLUSTER_CONFIGURATION_VERSION(
            Kind.GAUGE,
            "ballast.cluster.configuration.version",
            "",
            "Version of the cluster's configuration that this node uses; 0 if it uses its own file"),
    CLUSTER_CONFIGURATION_ACTIVE(
            Kind.GAUGE,
            "ballast.cluster.configuration.active",
            "",
            "Active version of the cluster's configuration as this node knows it; 0 if there is none"),
    CLUSTER_CONFIGURATION_OUTDATED(
            Kind.GAUGE,
            "ballast.cluster.configuration.outdated",
            "",
            "1 if this node does not use the active version of the cluster's configuration; 0 if it does, and with"
                    + " configuration local"),
    CLUSTER_CONFIGURATION_FAILURES(
            Kind.COUNTER,
            "ballast.cluster.configuration.failures",
            "",
            "Failed attempts of this node to use a version of the cluster's configuration"),
    CLUSTER_UNCHECKED_BACKENDS(
            Kind.GAUGE,
            "ballast.cluster.unchecked.backends",
            "",
            "Backends that other nodes check instead of this one, because of health.voters"),
    CLUSTER_LIMIT_SENT(
            Kind.COUNTER, "ballast.cluster.limit.sent.bytes", "", "Bytes sent to other nodes about shared limits"),
    CLUSTER_LIMIT_RECEIVED(
            Kind.COUNTER,
            "ballast.cluster.limit.received.bytes",
            "",
            "Bytes received from other nodes about shared limits"),
    CLUSTER_LIMIT_LOST(
            Kind.COUNTER,
            "ballast.cluster.limit.lost.messages",
            "",
            "Messages about shared limits that were not sent or not processed; the next ones replace them"),
    CLUSTER_CERTIFICATE_EXPIRY(
            Kind.GAUGE,
            "ballast.cluster.certificate.expiry",
            "seconds",
            "Expiry time of the certificate of a connected node or of this one, in seconds since 1970",
            "node");

    private final Metric metric;

    BallastMeter(Kind kind, String id, String unit, String description, String... labels) {
        this.metric = new Metric(kind, id, unit, description, List.of(labels));
    }

    public Metric metric() {
        return metric;
    }

    List<String> labels() {
        return metric.labels();
    }
}
