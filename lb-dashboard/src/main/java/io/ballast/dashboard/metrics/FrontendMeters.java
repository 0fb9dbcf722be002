package io.ballast.dashboard.metrics;

import io.ballast.dashboard.DnsStats;
import io.ballast.dashboard.ListenerStats;

/** The meters of the frontends. */
final class FrontendMeters {

    private static final int CLASSES = 5;

    private final MeterBinding binding;

    FrontendMeters(MeterBinding binding) {
        this.binding = binding;
    }

    void register(ListenerStats listener) {
        String name = listener.name();
        binding.register(BallastMeter.LISTENER_REQUESTS, listener::requests, name);
        binding.register(BallastMeter.LISTENER_CONNECTIONS, listener::connectionsOpen, name);
        binding.register(BallastMeter.LISTENER_ACCEPTED, listener::connectionsAccepted, name);
        binding.register(BallastMeter.LISTENER_RECEIVED, listener::bytesReceived, name);
        binding.register(BallastMeter.LISTENER_SENT, listener::bytesSent, name);
        listener.connectionsLimited()
                .keySet()
                .forEach(reason -> binding.register(
                        BallastMeter.LISTENER_LIMITED,
                        () -> listener.connectionsLimited().getOrDefault(reason, 0L),
                        name,
                        reason));
        listener.failures()
                .keySet()
                .forEach(kind -> binding.register(
                        BallastMeter.LISTENER_FAILURES,
                        () -> listener.failures().getOrDefault(kind, 0L),
                        name,
                        kind));
        binding.register(BallastMeter.LISTENER_LOG_DROPPED, listener::accessLogDropped, name);
        for (int i = 1; i <= CLASSES; i++) {
            int statusClass = i;
            binding.register(
                    BallastMeter.LISTENER_RESPONSES, () -> listener.responses(statusClass), name, statusClass + "xx");
        }
    }

    void register(DnsStats dns) {
        dns.queriesByType()
                .keySet()
                .forEach(type -> binding.register(
                        BallastMeter.DNS_QUERIES, () -> dns.queriesByType().getOrDefault(type, 0L), type));
        dns.responsesByCode()
                .keySet()
                .forEach(code -> binding.register(
                        BallastMeter.DNS_RESPONSES, () -> dns.responsesByCode().getOrDefault(code, 0L), code));
        dns.queriesByTransport()
                .keySet()
                .forEach(transport -> binding.register(
                        BallastMeter.DNS_TRANSPORTS,
                        () -> dns.queriesByTransport().getOrDefault(transport, 0L),
                        transport));
        binding.register(BallastMeter.DNS_CONNECTIONS, dns::connectionsOpen);
        binding.register(BallastMeter.DNS_ACCEPTED, dns::connectionsAccepted);
        binding.register(BallastMeter.DNS_HTTP_ERRORS, dns::httpErrors);
        dns.connectionsLimited()
                .keySet()
                .forEach(reason -> binding.register(
                        BallastMeter.DNS_LIMITED, () -> dns.connectionsLimited().getOrDefault(reason, 0L), reason));
        dns.protection()
                .keySet()
                .forEach(kind -> binding.register(
                        BallastMeter.DNS_PROTECTION, () -> dns.protection().getOrDefault(kind, 0L), kind));
    }
}
