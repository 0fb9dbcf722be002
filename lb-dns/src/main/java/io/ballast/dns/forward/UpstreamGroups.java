package io.ballast.dns.forward;

import io.ballast.dns.config.forward.DnsForwardConfig;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Numbers of groups of resolvers, which stay the same over reloads: what is kept of one is not given for another.
 *
 * <p>Thread safety: any thread may call it.
 */
final class UpstreamGroups {

    private final Map<DnsForwardConfig.Upstream, Integer> numbers = new HashMap<>();

    /** Returns a text for each group that is the same in every process. */
    synchronized Map<Integer, String> texts() {
        Map<Integer, String> texts = new HashMap<>();
        numbers.forEach((upstream, number) -> texts.put(number, text(upstream)));
        return texts;
    }

    /** Returns the number of the group with that name; null if there was none in this process. */
    synchronized @Nullable Integer known(String text) {
        for (Map.Entry<DnsForwardConfig.Upstream, Integer> each : numbers.entrySet()) {
            if (text(each.getKey()).equals(text)) {
                return each.getValue();
            }
        }
        return null;
    }

    private static String text(DnsForwardConfig.Upstream upstream) {
        return upstream.pool() + " " + upstream.protocol() + " " + upstream.path()
                + upstream.clientSubnet().map(subnet -> " " + subnet).orElse("");
    }

    synchronized int number(DnsForwardConfig.Upstream upstream) {
        return numbers.computeIfAbsent(upstream, unknown -> numbers.size());
    }
}
