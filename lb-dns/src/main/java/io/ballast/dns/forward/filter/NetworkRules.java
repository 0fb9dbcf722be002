package io.ballast.dns.forward.filter;

import io.ballast.core.net.Cidr;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.forward.filter.rule.FilterRule;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The rules about addresses in answers: one table for each prefix length in use.
 *
 * <p>Immutable. Cost: one probe for each length; allocates nothing.
 */
final class NetworkRules {

    private final List<FilterRule> rules = new ArrayList<>();
    private final List<PrefixTable> tables = new ArrayList<>();

    static NetworkRules of(FilterList[] lists) {
        return new NetworkRules(lists);
    }

    private NetworkRules(FilterList[] lists) {
        Map<Integer, List<PrefixTable.Entry>> byLength = new HashMap<>();
        for (FilterList list : lists) {
            for (FilterRule rule : list.rules().networks()) {
                Cidr network = Cidr.parse(rule.text());
                int flags = list.kind() == ListKind.ALLOW ? FilterRule.setAllowed(rule.flags()) : rule.flags();
                long verdict = FilterVerdict.of(FilterVerdict.BY_NETWORK, flags, list.id(), rules.size());
                rules.add(rule);
                int bits = network.length() + (network.network().isIpv4() ? 96 : 0);
                byLength.computeIfAbsent(network.network().isIpv4() ? bits : -bits - 1, key -> new ArrayList<>())
                        .add(new PrefixTable.Entry(
                                network.network().high(), network.network().low(), verdict));
            }
        }
        byLength.forEach((key, entries) -> tables.add(new PrefixTable(key >= 0, key >= 0 ? key : -key - 1, entries)));
        tables.sort((a, b) -> Integer.compare(b.bits(), a.bits()));
    }

    boolean isEmpty() {
        return tables.isEmpty();
    }

    FilterRule rule(int index) {
        return rules.get(index);
    }

    long evaluate(long high, long low, long lists) {
        boolean isIpv4 = IpAddress.isIpv4(high, low);
        long best = FilterVerdict.NONE;
        for (int i = 0; i < tables.size(); i++) {
            PrefixTable table = tables.get(i);
            if (table.isIpv4() == isIpv4) {
                best = table.evaluate(high, low, lists, best);
            }
        }
        return best;
    }
}
