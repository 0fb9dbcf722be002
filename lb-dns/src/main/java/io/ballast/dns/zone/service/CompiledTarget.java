package io.ballast.dns.zone.service;

import io.ballast.dns.answer.data.AnswerSource;
import java.net.InetAddress;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The compiled state of a target of a service, for one address family at one moment.
 *
 * @param source the target's answers; null if none of its addresses is healthy
 * @param addresses function that returns the possible addresses in answers for clients of the region with a given id;
 *     computed on demand
 * @param healthy the number of healthy addresses
 * @param total the number of addresses
 */
record CompiledTarget(@Nullable AnswerSource source, IntFunction<List<InetAddress>> addresses, int healthy, int total) {

    static CompiledTarget nothing(int total) {
        return new CompiledTarget(null, region -> List.of(), 0, total);
    }

    boolean hasAnswer() {
        return source != null;
    }

    /** Returns the source of a target for which {@link #hasAnswer} is true. */
    AnswerSource requireSource() {
        if (source == null) {
            throw new IllegalStateException("the target has no answer");
        }
        return source;
    }

    /** The addresses of several targets, each address once. */
    static IntFunction<List<InetAddress>> addresses(List<CompiledTarget> several) {
        return region -> {
            Set<InetAddress> union = new LinkedHashSet<>();
            several.forEach(each -> union.addAll(each.addresses().apply(region)));
            return List.copyOf(union);
        };
    }

    /** Returns a copy of this target whose counts are the sums over all given targets. */
    CompiledTarget withTotalsOf(List<CompiledTarget> whole) {
        return new CompiledTarget(source, addresses, healthy(whole), total(whole));
    }

    static int healthy(List<CompiledTarget> several) {
        return several.stream().mapToInt(CompiledTarget::healthy).sum();
    }

    static int total(List<CompiledTarget> several) {
        return several.stream().mapToInt(CompiledTarget::total).sum();
    }
}
