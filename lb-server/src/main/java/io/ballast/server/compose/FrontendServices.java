package io.ballast.server.compose;

import io.ballast.core.net.Cidr;
import io.ballast.dashboard.source.DnsFilterOverrides;
import io.ballast.dashboard.source.DnsServices;
import io.ballast.dashboard.source.FlushResult;
import io.ballast.dns.DnsFrontend;
import io.ballast.dns.learn.RoundTripSample;
import io.ballast.dns.secondary.SecondaryState;
import io.ballast.dns.secondary.SecondaryZones;
import io.ballast.dns.zone.ServiceExplanation;
import io.ballast.replication.CacheFlush;
import io.ballast.replication.SharedFlushes;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

/** Gives the API access to the services of the DNS frontend. */
record FrontendServices(DnsFrontend frontend, SharedFlushes flushes) implements DnsServices {

    @Override
    public Map<String, Object> explain(String name, String type, Optional<Cidr> from) throws IOException {
        return ServiceExplanation.of(frontend.zones(), name, type, from);
    }

    @Override
    public List<ListedService> services() {
        return frontend.zones().explainable().stream()
                .map(service -> new ListedService(service.name(), service.types()))
                .toList();
    }

    @Override
    public FlushResult flushCache(Optional<String> name, boolean below, Optional<String> type) {
        return flushes.flush(CacheFlush.ofDns(name, below, type));
    }

    @Override
    public DnsFilterOverrides filter() {
        return new FilterOverrides(frontend.forwarding()
                .filterControl()
                .orElseThrow(() -> new NoSuchElementException("filter: none (expected: dns.forward.filter)")));
    }

    @Override
    public List<Map<String, Object>> secondaryZones() {
        return frontend.secondaryZones().map(SecondaryZones::states).orElse(List.of()).stream()
                .map(FrontendServices::describeZone)
                .toList();
    }

    private static Map<String, Object> describeZone(SecondaryState zone) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("zone", zone.zone());
        tree.put("status", zone.status().name().toLowerCase(Locale.ROOT));
        zone.catalog().ifPresent(catalog -> tree.put("catalog", catalog));
        if (!zone.groups().isEmpty()) {
            tree.put("groups", zone.groups());
        }
        if (zone.isCatalog()) {
            tree.put("members", zone.members());
        }
        zone.serial().ifPresent(serial -> tree.put("serial", serial));
        tree.put("primary", zone.primary());
        zone.refreshed().ifPresent(at -> tree.put("refreshed", at.toString()));
        zone.next().ifPresent(at -> tree.put("next", at.toString()));
        zone.expires().ifPresent(at -> tree.put("expires", at.toString()));
        tree.put("transfers", zone.transfers());
        tree.put("incremental", zone.incremental());
        tree.put("failures", zone.failures());
        tree.put("problem", zone.problem());
        return tree;
    }

    @Override
    public boolean refreshZone(String zone) {
        return frontend.secondaryZones().map(zones -> zones.refresh(zone)).orElse(false);
    }

    @Override
    public void addRoundTrips(List<RoundTrip> reports) {
        List<RoundTripSample> samples = reports.stream()
                .map(report -> new RoundTripSample(report.client(), report.pool(), report.time()))
                .toList();
        frontend.zones().learn(samples);
    }
}
