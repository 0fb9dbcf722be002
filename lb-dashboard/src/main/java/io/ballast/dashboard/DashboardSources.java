package io.ballast.dashboard;

import io.ballast.core.control.ControlPlane;
import io.ballast.core.pool.Topology;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Everything that the dashboard shows.
 *
 * @param topology the one in force; asked once a second, so a reload shows by itself
 * @param control whose timeline is shown
 * @param readiness whether new traffic may come; asked on the dashboard's thread, must not block
 * @param end why the process is about to end; empty while all is well. Asked like {@code readiness}
 * @param listeners the frontends for HTTP clients
 * @param dns the DNS frontend, if there is one
 * @param dnsServices its services, if there is one
 * @param version of the product, for display
 */
public record DashboardSources(
        Supplier<Topology> topology,
        ControlPlane control,
        Supplier<Readiness> readiness,
        Supplier<Optional<String>> end,
        List<ListenerStats> listeners,
        Optional<DnsStats> dns,
        Optional<DnsServices> dnsServices,
        String version) {

    public DashboardSources {
        listeners = List.copyOf(listeners);
    }

    /** Sources without frontends, always ready; the {@code with} methods add to them. */
    public static DashboardSources of(Supplier<Topology> topology, ControlPlane control, String version) {
        return new DashboardSources(
                topology,
                control,
                () -> Readiness.READY,
                Optional::empty,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                version);
    }

    public DashboardSources withReadiness(Supplier<Readiness> source) {
        return new DashboardSources(topology, control, source, end, listeners, dns, dnsServices, version);
    }

    public DashboardSources withEnd(Supplier<Optional<String>> source) {
        return new DashboardSources(topology, control, readiness, source, listeners, dns, dnsServices, version);
    }

    public DashboardSources withListeners(List<? extends ListenerStats> sources) {
        return new DashboardSources(topology, control, readiness, end, List.copyOf(sources), dns, dnsServices, version);
    }

    public DashboardSources withDns(DnsStats source) {
        return new DashboardSources(
                topology, control, readiness, end, listeners, Optional.of(source), dnsServices, version);
    }

    public DashboardSources withDnsServices(DnsServices services) {
        return new DashboardSources(topology, control, readiness, end, listeners, dns, Optional.of(services), version);
    }
}
