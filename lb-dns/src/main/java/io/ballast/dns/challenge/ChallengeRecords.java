package io.ballast.dns.challenge;

import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.config.zone.ServiceType;
import io.ballast.dns.config.zone.ZoneConfig;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * TXT records that a certificate authority looks up to verify names (<a
 * href="https://datatracker.ietf.org/doc/html/rfc8555#section-8.4">RFC 8555 section 8.4</a>). Each name becomes a
 * service of the primary zone that contains it, so that signed zones sign it like any other service.
 *
 * <p>Thread safety: any thread may call any method.
 */
public final class ChallengeRecords {

    /**
     * TTL of the records. It is zero, so that resolvers do not cache them: a name and its wildcard use the same record
     * name and are verified one after the other, with different texts.
     */
    private static final Duration TTL = Duration.ZERO;

    private volatile Map<String, List<String>> texts = Map.of();

    /**
     * Adds a record.
     *
     * @param name the absolute name of the record in lower case, without the final dot
     * @param text the text of the record: letters, digits, {@code -} and {@code _}
     */
    public synchronized void add(String name, String text) {
        Map<String, List<String>> next = new LinkedHashMap<>(texts);
        List<String> all = new ArrayList<>(next.getOrDefault(name, List.of()));
        all.add(text);
        next.put(name, List.copyOf(all));
        texts = next;
    }

    /** Removes a record, if it exists. */
    public synchronized void remove(String name, String text) {
        Map<String, List<String>> next = new LinkedHashMap<>(texts);
        List<String> left = new ArrayList<>(next.getOrDefault(name, List.of()));
        left.remove(text);
        if (left.isEmpty()) {
            next.remove(name);
        } else {
            next.put(name, List.copyOf(left));
        }
        texts = next;
    }

    /**
     * Returns the configuration with the records as additional services. Names that are in no primary zone are omitted.
     */
    public DnsConfig apply(DnsConfig config) {
        Map<String, List<String>> present = texts;
        if (present.isEmpty()) {
            return config;
        }
        Map<String, List<ServiceConfig>> added = new LinkedHashMap<>();
        present.forEach((name, values) -> zone(config, name)
                .ifPresent(zone -> added.computeIfAbsent(zone.name(), key -> new ArrayList<>(zone.services()))
                        .add(service(relative(name, zone.name()), values))));
        return config.withZones(config.zones().stream()
                .map(zone -> added.containsKey(zone.name()) ? zone.withServices(added.get(zone.name())) : zone)
                .toList());
    }

    /**
     * Returns the zone to which a record with the name can be added: the zone with the longest name that contains it,
     * if it is a primary zone.
     */
    public static Optional<ZoneConfig> zone(DnsConfig config, String name) {
        return config.zones().stream()
                .filter(zone -> name.equals(zone.name()) || name.endsWith("." + zone.name()))
                .max(Comparator.comparingInt(zone -> zone.name().length()))
                .filter(zone -> zone.secondary().isEmpty() && zone.members().isEmpty());
    }

    private static String relative(String name, String zone) {
        return name.equals(zone) ? "@" : name.substring(0, name.length() - zone.length() - 1);
    }

    private static ServiceConfig service(String name, List<String> values) {
        List<String> quoted = values.stream().map(text -> "\"" + text + "\"").toList();
        return ServiceConfig.ofRecords(name, ServiceType.TXT, quoted, TTL);
    }
}
