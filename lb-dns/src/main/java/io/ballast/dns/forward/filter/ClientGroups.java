package io.ballast.dns.forward.filter;

import io.ballast.core.geo.RegionNetwork;
import io.ballast.core.geo.RegionTable;
import io.ballast.core.net.Cidr;
import io.ballast.core.net.CidrSet;
import io.ballast.dns.config.forward.DnsClientGroup;
import io.ballast.dns.config.forward.DnsClientGroup.Filter;
import io.ballast.dns.config.forward.DnsFilterConfig;
import io.ballast.dns.config.forward.DnsFilterConfig.RuleList;
import java.time.Instant;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Which group a client belongs to, and how that is filtered at the moment: a snapshot that {@link #refresh} replaces when a
 * schedule or a pause says so, so that no query looks at the time.
 *
 * <p>Every choice of lists that a group makes at one time or another is a view with a number: answers are judged for each when
 * they are taken in ({@link AnswerFilter}), and each client gets the verdict of its own.
 *
 * <p>Thread safety: any thread may look clients up; one at a time refreshes. Cost of a look-up: that of {@link RegionTable};
 * allocates nothing.
 */
public final class ClientGroups {

    private static final String EXEMPT = "exempt";

    private final CidrSet exempt;
    private final ClientPolicy ofExempt = ClientPolicy.open(EXEMPT);
    private final boolean hasGroups;
    private final RegionTable networks;
    private final List<Group> groups = new ArrayList<>();
    /** By the lists that count: the number of the view. */
    private final Map<Long, Integer> views = new LinkedHashMap<>();

    private volatile ClientPolicy[] current;

    /** A group, by what it is at other times; the policy of no period comes first. */
    private record Group(String name, WeeklySchedule schedule, List<ClientPolicy> policies) {

        ClientPolicy at(Instant now, boolean isPaused) {
            ClientPolicy policy = policies.get(1 + schedule.holding(now));
            return isPaused ? policy.paused() : policy;
        }
    }

    /**
     * Groups as they are at no particular time.
     *
     * @param isFiltered whether rules count for those that no group has
     */
    ClientGroups(DnsFilterConfig config, boolean isFiltered, List<DnsClientGroup> of) {
        this.exempt = CidrSet.of(config.exempt());
        this.hasGroups = !of.isEmpty();
        List<RegionNetwork> regions = new ArrayList<>();
        groups.add(isFiltered ? compile(config, DnsClientGroup.OTHERS, Filter.ALL) : unfiltered(DnsClientGroup.OTHERS));
        for (DnsClientGroup group : of) {
            for (Cidr network : group.clients()) {
                regions.add(new RegionNetwork(network, groups.size()));
            }
            groups.add(group.filter()
                    .map(filter -> compile(config, group.name(), filter))
                    .orElseGet(() -> unfiltered(group.name())));
        }
        this.networks = RegionTable.ofNetworks(regions, /* defaultRegion= */ 0);
        this.current = groups.stream().map(group -> group.policies().get(0)).toArray(ClientPolicy[]::new);
    }

    private static Group unfiltered(String name) {
        return new Group(name, new WeeklySchedule(ZoneId.of("UTC"), List.of()), List.of(ClientPolicy.open(name)));
    }

    private Group compile(DnsFilterConfig config, String name, Filter filter) {
        AnswerChoice blocked = new AnswerChoice(
                filter.answer().orElse(config.answer()),
                filter.answer().isPresent() ? filter.addresses() : config.addresses(),
                (int) config.ttl().toSeconds());
        List<ClientPolicy> policies = new ArrayList<>();
        policies.add(
                policy(name, filter.lists().map(lists -> mask(config, lists)).orElse(FilterTable.ALL_LISTS), blocked));
        filter.schedule().forEach(period -> policies.add(policy(name, mask(config, period.lists()), blocked)));
        ZoneId zone = filter.timezone().orElseGet(ZoneId::systemDefault);
        return new Group(name, new WeeklySchedule(zone, filter.schedule()), policies);
    }

    private ClientPolicy policy(String name, long lists, AnswerChoice blocked) {
        int view = views.computeIfAbsent(lists, unknown -> 1 + views.size());
        return new ClientPolicy(name, /* isFiltered= */ true, /* isPaused= */ false, lists, view, blocked);
    }

    private static long mask(DnsFilterConfig config, List<String> names) {
        long mask = 0;
        List<String> all = config.lists().stream().map(RuleList::name).toList();
        for (String name : names) {
            int list = all.indexOf(name);
            if (list < 0) {
                throw new IllegalArgumentException("list: " + name + " (expected: one of " + all + ")");
            }
            mask |= 1L << list;
        }
        return mask;
    }

    /** How the queries of a client are filtered, whose address is given as {@link io.ballast.core.net.IpAddress} has it. */
    public ClientPolicy of(long high, long low) {
        if (exempt.contains(high, low)) {
            return ofExempt;
        }
        ClientPolicy[] now = current;
        return hasGroups ? now[RegionTable.region(networks.findIpv6(high, low))] : now[0];
    }

    /**
     * Makes every group what it is to be now.
     *
     * @param isPaused which groups are not filtered for a while, by name
     * @return when it has to be called again, at the latest; {@link Instant#MAX} for never
     */
    public Instant refresh(Instant now, Predicate<String> isPaused) {
        current = groups.stream()
                .map(group -> group.at(now, isPaused.test(group.name())))
                .toArray(ClientPolicy[]::new);
        return groups.stream()
                .map(group -> group.schedule().nextChange(now))
                .min(Instant::compareTo)
                .orElse(Instant.MAX);
    }

    /** All groups as they are now; that of all others comes first. */
    public List<ClientPolicy> policies() {
        return List.of(current);
    }

    /** Which lists count in each view; the first one is that of those who are not filtered. */
    long[] views() {
        long[] all = new long[1 + views.size()];
        views.forEach((lists, view) -> all[view] = lists);
        return all;
    }
}
