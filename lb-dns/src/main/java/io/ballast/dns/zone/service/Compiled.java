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
 * @param source its answers; null if none of its addresses is healthy
 * @param addresses the possible addresses in answers for clients of a region, by its id; computed on demand
 * @param healthy the number of healthy addresses
 * @param total the number of addresses
 */
record Compiled(@Nullable AnswerSource source, IntFunction<List<InetAddress>> addresses, int healthy, int total) {

    static Compiled nothing(int total) {
        return new Compiled(null, region -> List.of(), 0, total);
    }

    boolean answers() {
        return source != null;
    }

    /** The source of a target that {@link #answers}. */
    AnswerSource present() {
        if (source == null) {
            throw new IllegalStateException("nothing healthy");
        }
        return source;
    }

    /** The addresses of several together, each once. */
    static IntFunction<List<InetAddress>> addresses(List<Compiled> several) {
        return region -> {
            Set<InetAddress> union = new LinkedHashSet<>();
            several.forEach(each -> union.addAll(each.addresses().apply(region)));
            return List.copyOf(union);
        };
    }

    /** One answer of a whole, with the numbers of the whole. */
    Compiled within(List<Compiled> whole) {
        return new Compiled(source, addresses, healthy(whole), total(whole));
    }

    static int healthy(List<Compiled> several) {
        return several.stream().mapToInt(Compiled::healthy).sum();
    }

    static int total(List<Compiled> several) {
        return several.stream().mapToInt(Compiled::total).sum();
    }
}
