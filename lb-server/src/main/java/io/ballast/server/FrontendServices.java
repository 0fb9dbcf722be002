package io.ballast.server;

import io.ballast.core.net.Cidr;
import io.ballast.dashboard.DnsFilterOrders;
import io.ballast.dashboard.DnsServices;
import io.ballast.dns.DnsFrontend;
import io.ballast.dns.learn.Sample;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The services of the DNS frontend, as the API sees them. */
record FrontendServices(DnsFrontend frontend) implements DnsServices {

    @Override
    public Map<String, Object> explain(String name, String type, Optional<Cidr> from) throws IOException {
        return ServiceExplanation.of(frontend.zones(), name, type, from);
    }

    @Override
    public List<String> names() {
        return frontend.zones().serviceNames();
    }

    @Override
    public int flush(Optional<String> name, boolean below, Optional<String> type) {
        return frontend.flush(name, below, type);
    }

    @Override
    public DnsFilterOrders filter() {
        return new FilterOrders(frontend.filterControl()
                .orElseThrow(() -> new IllegalArgumentException("filter: none (expected: dns.forward.filter)")));
    }

    @Override
    public void learn(List<RoundTrip> reports) {
        List<Sample> samples = reports.stream()
                .map(report -> new Sample(report.client(), report.pool(), report.time()))
                .toList();
        frontend.zones().learn(samples);
    }
}
