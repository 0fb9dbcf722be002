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
 * Maps clients to groups and to the current filter policies of these groups. The policies are a snapshot,
 * which {@link #refresh} replaces when a schedule or a pause changes, so that queries do not read the clock.
 *
 * <p>Each set of filter lists that a group uses is a view with a number. When an answer is cached, {@link
 * AnswerFilter} computes a verdict for each view. Each client gets the verdict of its group's view.
 *
 * <p>Thread safety: any thread may look up clients; only one thread at a time may refresh. A lookup costs as
 * much as a lookup in a {@link RegionTable}; it allocates nothing.
 */
public final class ClientGroups {

    private static final String EXEMPT = "exempt";

    private final CidrSet exempt;
    private final ClientPolicy exemptPolicy = ClientPolicy.unfiltered(EXEMPT);
    private final boolean hasGroups;
    private final RegionTable networks;
    private final List<Group> groups = new ArrayList<>();
    /** Maps each set of active lists, as a bit mask with one bit per list, to its view number. */
    private final Map<Long, Integer> views = new LinkedHashMap<>();

    private volatile ClientPolicy[] policiesByGroup;

    /** A group with its policies for each period; the default policy comes first. */
    private record Group(String name, WeeklySchedule schedule, List<ClientPolicy> policies) {

        ClientPolicy policyAt(Instant now, boolean isPaused) {
            ClientPolicy policy = policies.get(1 + schedule.activePeriod(now));
            return isPaused ? policy.asPaused() : policy;
        }
    }

    /**
     * Creates the groups with their default policies. {@link #refresh} applies schedules and pauses.
     *
     * @param isFiltered whether rules apply to clients without a group
     */
    ClientGroups(DnsFilterConfig config, boolean isFiltered, List<DnsClientGroup> groupConfigs) {
        this.exempt = CidrSet.of(config.exempt());
        this.hasGroups = !groupConfigs.isEmpty();
        List<RegionNetwork> regions = new ArrayList<>();
        groups.add(
                isFiltered
                        ? compile(config, DnsClientGroup.DEFAULT_NAME, Filter.ALL)
                        : unfilteredGroup(DnsClientGroup.DEFAULT_NAME));
        for (DnsClientGroup group : groupConfigs) {
            for (Cidr network : group.clients()) {
                regions.add(new RegionNetwork(network, groups.size()));
            }
            groups.add(group.filter()
                    .map(filter -> compile(config, group.name(), filter))
                    .orElseGet(() -> unfilteredGroup(group.name())));
        }
        this.networks = RegionTable.ofNetworks(regions, /* defaultRegion= */ 0);
        this.policiesByGroup =
                groups.stream().map(group -> group.policies().get(0)).toArray(ClientPolicy[]::new);
    }

    private static Group unfilteredGroup(String name) {
        return new Group(name, new WeeklySchedule(ZoneId.of("UTC"), List.of()), List.of(ClientPolicy.unfiltered(name)));
    }

    private Group compile(DnsFilterConfig config, String name, Filter filter) {
        AnswerChoice blocked = new AnswerChoice(
                filter.answer().orElse(config.answer()),
                filter.answer().isPresent() ? filter.addresses() : config.addresses(),
                (int) config.ttl().toSeconds());
        List<ClientPolicy> policies = new ArrayList<>();
        policies.add(policy(
                name, filter.lists().map(lists -> listMask(config, lists)).orElse(FilterTable.ALL_LISTS), blocked));
        filter.schedule().forEach(period -> policies.add(policy(name, listMask(config, period.lists()), blocked)));
        ZoneId zone = filter.timezone().orElseGet(ZoneId::systemDefault);
        return new Group(name, new WeeklySchedule(zone, filter.schedule()), policies);
    }

    private ClientPolicy policy(String name, long lists, AnswerChoice blocked) {
        int view = views.computeIfAbsent(lists, unknown -> 1 + views.size());
        return new ClientPolicy(name, /* isFiltered= */ true, /* isPaused= */ false, lists, view, blocked);
    }

    private static long listMask(DnsFilterConfig config, List<String> names) {
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

    /** Returns the filter policy for a client address in the format of {@link io.ballast.core.net.IpAddress}. */
    public ClientPolicy policyFor(long high, long low) {
        if (exempt.contains(high, low)) {
            return exemptPolicy;
        }
        ClientPolicy[] currentPolicies = policiesByGroup;
        return hasGroups ? currentPolicies[RegionTable.region(networks.findIpv6(high, low))] : currentPolicies[0];
    }

    /**
     * Applies schedules and pauses to all groups.
     *
     * @param isPaused the paused groups, by name
     * @return latest time at which this method must be called again; {@link Instant#MAX} for never
     */
    public Instant refresh(Instant now, Predicate<String> isPaused) {
        policiesByGroup = groups.stream()
                .map(group -> group.policyAt(now, isPaused.test(group.name())))
                .toArray(ClientPolicy[]::new);
        return groups.stream()
                .map(group -> group.schedule().nextChange(now))
                .min(Instant::compareTo)
                .orElse(Instant.MAX);
    }

    /** All groups with their current policies; the default group comes first. */
    public List<ClientPolicy> policies() {
        return List.of(policiesByGroup);
    }

    /**
     * Returns the filter lists of each view as a bit mask. The view with index 0 is for clients whose queries are
     * not filtered.
     */
    long[] views() {
        long[] all = new long[1 + views.size()];
        views.forEach((lists, view) -> all[view] = lists);
        return all;
    }
}
