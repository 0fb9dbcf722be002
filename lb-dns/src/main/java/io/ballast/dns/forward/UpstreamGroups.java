package io.ballast.dns.forward;

import io.ballast.dns.config.forward.DnsForwardConfig;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Assigns numbers to groups of resolvers. Reloads preserve the numbers, so that answers that were cached for
 * one group are not used for another.
 *
 * <p>Thread safety: any thread may call it.
 */
final class UpstreamGroups {

    private final Map<DnsForwardConfig.Upstream, Integer> numbers = new HashMap<>();

    /** Returns a name for each group number. The names are the same in every process. */
    synchronized Map<Integer, String> stableNames() {
        Map<Integer, String> texts = new HashMap<>();
        numbers.forEach((upstream, number) -> texts.put(number, stableName(upstream)));
        return texts;
    }

    /** Returns the number of the group with the given name; null if this process has no such group. */
    synchronized @Nullable Integer find(String name) {
        for (Map.Entry<DnsForwardConfig.Upstream, Integer> each : numbers.entrySet()) {
            if (stableName(each.getKey()).equals(name)) {
                return each.getValue();
            }
        }
        return null;
    }

    private static String stableName(DnsForwardConfig.Upstream upstream) {
        return upstream.pool() + " " + upstream.protocol() + " " + upstream.path()
                + upstream.clientSubnet().map(subnet -> " " + subnet).orElse("")
                + (upstream.ednsOptions().isEmpty() ? "" : " " + upstream.ednsOptions());
    }

    synchronized int number(DnsForwardConfig.Upstream upstream) {
        return numbers.computeIfAbsent(upstream, unknown -> numbers.size());
    }
}
