package io.ballast.server.reload;

import io.ballast.config.BallastConfig;
import io.ballast.config.key.Key;
import io.ballast.config.key.ReloadEffect;
import io.ballast.config.longform.LongForm;
import io.ballast.core.config.Address;
import io.ballast.core.config.BackendConfig;
import io.ballast.core.config.PoolConfig;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.http.config.ListenerConfig;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Describes the differences between two configurations. An instance can be used only once. */
final class ConfigDifference {

    /** Maximum number of differences that are listed for one pool; all further differences are only counted. */
    private static final int MAX_NAMES = 10;

    /** The top-level keys whose change needs a restart. */
    static final List<String> FIXED_KEYS = LongForm.SHAPE.keys().stream()
            .filter(key -> LongForm.SHAPE.onReload(key, ReloadEffect.IMMEDIATE) == ReloadEffect.NEEDS_RESTART)
            .map(Key::name)
            .toList();

    private final List<String> lines = new ArrayList<>();

    private ConfigDifference() {}

    /**
     * Returns a line for each listener, pool or other part that differs, in the order of the configuration.
     * Changes of {@link #FIXED_KEYS} are not listed.
     */
    static List<String> of(BallastConfig before, BallastConfig next) {
        ConfigDifference difference = new ConfigDifference();
        difference.compareByName(
                "listener",
                byName(before.listeners(), ListenerConfig::name),
                byName(next.listeners(), ListenerConfig::name),
                ConfigDifference::changedComponents);
        difference.compareByName("pool", before.pools(), next.pools(), ConfigDifference::describePool);
        difference.compareDns(before.dns(), next.dns());
        List<String> others = ChangedComponents.of(before, next);
        others.removeAll(List.of("listeners", "pools", "dns"));
        others.removeAll(FIXED_KEYS);
        others.forEach(key -> difference.lines.add("~ " + key));
        return difference.lines;
    }

    /** Returns the keys of {@link #FIXED_KEYS} that are different. */
    static List<String> changedFixedKeys(BallastConfig before, BallastConfig next) {
        List<String> fixed = ChangedComponents.of(before, next);
        fixed.retainAll(FIXED_KEYS);
        return fixed;
    }

    private interface Comparison<T> {
        String compare(T before, T next);
    }

    private <T> void compareByName(String kind, Map<String, T> before, Map<String, T> next, Comparison<T> comparison) {
        next.forEach((name, config) -> {
            T known = before.get(name);
            if (known == null) {
                lines.add("+ " + kind + " " + name);
            } else if (!known.equals(config)) {
                lines.add("~ " + kind + " " + name + ": " + comparison.compare(known, config));
            }
        });
        before.keySet().stream()
                .filter(name -> !next.containsKey(name))
                .forEach(name -> lines.add("- " + kind + " " + name));
    }

    private static <T> Map<String, T> byName(List<T> all, Function<T, String> name) {
        Map<String, T> byName = new LinkedHashMap<>();
        all.forEach(each -> byName.put(name.apply(each), each));
        return byName;
    }

    private static String changedComponents(Record before, Record next) {
        return String.join(", ", ChangedComponents.of(before, next));
    }

    private static String describePool(PoolConfig before, PoolConfig next) {
        List<String> parts = new ArrayList<>();
        Map<Address, BackendConfig> known = new LinkedHashMap<>();
        before.backends().forEach(backend -> known.put(backend.address(), backend));
        List<String> joined = new ArrayList<>();
        List<String> changed = new ArrayList<>();
        for (BackendConfig backend : next.backends()) {
            BackendConfig old = known.remove(backend.address());
            if (old == null) {
                joined.add(backend.address().toString());
            } else if (!old.equals(backend)) {
                changed.add(backend.address() + " (" + changedComponents(old, backend) + ")");
            }
        }
        List<String> left = known.keySet().stream().map(Address::toString).toList();
        addNames(parts, "+", joined);
        addNames(parts, "-", left);
        addNames(parts, "~", changed);
        List<String> others = ChangedComponents.of(before, next);
        if (parts.isEmpty() && others.contains("backends")) {
            parts.add("order of backends");
        }
        others.remove("backends");
        parts.addAll(others);
        return String.join(", ", parts);
    }

    private static void addNames(List<String> parts, String sign, List<String> names) {
        names.stream().limit(MAX_NAMES).forEach(name -> parts.add(sign + name));
        if (names.size() > MAX_NAMES) {
            parts.add(sign + (names.size() - MAX_NAMES) + " more");
        }
    }

    private void compareDns(Optional<DnsConfig> before, Optional<DnsConfig> next) {
        if (before.isEmpty() || next.isEmpty()) {
            if (before.isPresent() != next.isPresent()) {
                lines.add((next.isPresent() ? "+" : "-") + " dns");
            }
            return;
        }
        compareByName(
                "zone",
                byName(before.get().zones(), ZoneConfig::name),
                byName(next.get().zones(), ZoneConfig::name),
                ConfigDifference::changedComponents);
        List<String> others = ChangedComponents.of(before.get(), next.get());
        others.remove("zones");
        others.forEach(key -> lines.add("~ dns." + key));
    }
}
