package io.ballast.dashboard;

import io.ballast.core.control.ControlPlane;
import io.ballast.core.control.Reloader;
import io.ballast.core.health.Operator;
import io.ballast.core.pool.Topology;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Everything that the dashboard shows. What is supplied may be another thing after a reload; it is asked for about once a
 * second on the dashboard's thread and must not block.
 *
 * @param topology the one in force
 * @param control whose timeline is shown
 * @param readiness whether new traffic may come
 * @param end why the process is about to end; empty while all is well
 * @param listeners the frontends for HTTP clients. One of the same name goes on where the former was, unless it has
 *     counted less
 * @param dns the DNS frontend, while there is one
 * @param dnsServices its services, while there is one
 * @param reloader what reloads the configuration, if anything does
 * @param operator what takes orders about backends, if anything does
 * @param version of the product, for display
 */
public record DashboardSources(
        Supplier<Topology> topology,
        ControlPlane control,
        Supplier<Readiness> readiness,
        Supplier<Optional<String>> end,
        Supplier<List<ListenerStats>> listeners,
        Supplier<Optional<DnsStats>> dns,
        Supplier<Optional<DnsServices>> dnsServices,
        Optional<RecordedReloader> reloader,
        Optional<Operator> operator,
        String version) {

    /** Sources without frontends, always ready, never reloaded; the {@code with} methods add to them. */
    public static DashboardSources of(Supplier<Topology> topology, ControlPlane control, String version) {
        return new DashboardSources(
                topology,
                control,
                () -> Readiness.READY,
                Optional::empty,
                List::of,
                Optional::empty,
                Optional::empty,
                Optional.empty(),
                Optional.empty(),
                version);
    }

    public DashboardSources withReadiness(Supplier<Readiness> source) {
        return new DashboardSources(
                topology, control, source, end, listeners, dns, dnsServices, reloader, operator, version);
    }

    public DashboardSources withEnd(Supplier<Optional<String>> source) {
        return new DashboardSources(
                topology, control, readiness, source, listeners, dns, dnsServices, reloader, operator, version);
    }

    /** Listeners that stay as they are. */
    public DashboardSources withListeners(List<? extends ListenerStats> sources) {
        List<ListenerStats> all = List.copyOf(sources);
        return withListeners(() -> all);
    }

    public DashboardSources withListeners(Supplier<List<ListenerStats>> source) {
        return new DashboardSources(
                topology, control, readiness, end, source, dns, dnsServices, reloader, operator, version);
    }

    /** A DNS frontend that stays. */
    public DashboardSources withDns(DnsStats source) {
        Optional<DnsStats> present = Optional.of(source);
        return withDns(() -> present);
    }

    public DashboardSources withDns(Supplier<Optional<DnsStats>> source) {
        return new DashboardSources(
                topology, control, readiness, end, listeners, source, dnsServices, reloader, operator, version);
    }

    /** Services of a DNS frontend that stays. */
    public DashboardSources withDnsServices(DnsServices services) {
        Optional<DnsServices> present = Optional.of(services);
        return withDnsServices(() -> present);
    }

    public DashboardSources withDnsServices(Supplier<Optional<DnsServices>> source) {
        return new DashboardSources(
                topology, control, readiness, end, listeners, dns, source, reloader, operator, version);
    }

    /** Has {@code POST /api/v1/reload} served. What others ask of a {@link RecordedReloader} shows too. */
    public DashboardSources withReloader(Reloader source) {
        RecordedReloader recorded = RecordedReloader.of(source, control.clock());
        return new DashboardSources(
                topology,
                control,
                readiness,
                end,
                listeners,
                dns,
                dnsServices,
                Optional.of(recorded),
                operator,
                version);
    }

    /** Has orders about backends taken. */
    public DashboardSources withOperator(Operator source) {
        return new DashboardSources(
                topology, control, readiness, end, listeners, dns, dnsServices, reloader, Optional.of(source), version);
    }
}
