package io.ballast.dns.zone;

import io.ballast.core.Checks;
import io.ballast.core.net.Cidr;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.zone.HttpsConfig;
import io.ballast.dns.explain.Explanation;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.xbill.DNS.Type;

/** An explanation of a service's answers for each of its types, as texts, numbers, lists and maps. */
public final class ServiceExplanation {

    private static final int IPV4_BITS = 32;
    private static final int IPV6_BITS = 128;

    private final CompiledZones zones;
    private final String name;
    private final Optional<Cidr> from;

    private ServiceExplanation(CompiledZones zones, String name, Optional<Cidr> from) {
        this.zones = zones;
        this.name = name;
        this.from = from;
    }

    /**
     * Explains the answers for a name.
     *
     * @param type the record type, in upper or lower case
     * @param from the client's address or network, as a resolver sends it; absent for an unknown client
     * @throws IllegalArgumentException if no service has this name, or the service has no records of this type
     */
    public static Map<String, Object> of(CompiledZones zones, String name, String type, Optional<Cidr> from)
            throws IOException {
        ServiceExplanation explanation = new ServiceExplanation(zones, name, from);
        int number = Type.value(type.toUpperCase(Locale.ROOT));
        Checks.that(number > 0, "type", type, "a record type, such as A or MX");
        Optional<HttpsConfig> https = number == Type.HTTPS ? zones.https(name) : Optional.empty();
        return https.isPresent() ? explanation.https(https.get()) : explanation.map(explanation.explainType(number));
    }

    private Explanation explainType(int type) throws IOException {
        return zones.explain(name, type, from.map(Cidr::network));
    }

    private Map<String, Object> map(Explanation explanation) {
        Map<String, Object> map = explanation.toMap();
        map.put("client", describeClient(explanation.client()));
        return map;
    }

    /** Describes the client, with its network if a network was given. */
    private String describeClient(String words) {
        if (from.isEmpty()) {
            return words;
        }
        Cidr network = from.get();
        IpAddress address = network.network();
        boolean whole = network.length() == (address.isIpv4() ? IPV4_BITS : IPV6_BITS);
        return whole ? words : network + words.substring(address.toString().length());
    }

    private Map<String, Object> https(HttpsConfig https) throws IOException {
        Explanation four = explainType(Type.A);
        Explanation six = explainType(Type.AAAA);
        Explanation sooner = six.ttlSeconds() < four.ttlSeconds() ? six : four;
        Map<String, Object> map = new LinkedHashMap<>();
        map.put("name", four.name());
        map.put("type", "HTTPS");
        map.put("client", describeClient(four.client()));
        map.put(
                "decision",
                "hints are taken from the A and AAAA addresses, at most " + CompiledZones.MAX_HINTS + " of each");
        map.put("answer", List.of(record(https, four, six)));
        map.put("ttl_seconds", sooner.ttlSeconds());
        map.put("ttl_reason", sooner.ttlReason());
        map.put("families", List.of(map(four), map(six)));
        return map;
    }

    /** Returns the record data in the format of zone files. */
    private static String record(HttpsConfig https, Explanation four, Explanation six) {
        StringBuilder text = new StringBuilder().append(https.priority()).append(" .");
        if (!https.alpn().isEmpty()) {
            text.append(" alpn=").append(String.join(",", https.alpn()));
        }
        https.port().ifPresent(port -> text.append(" port=").append(port));
        return text + hints(" ipv4hint=", four) + hints(" ipv6hint=", six);
    }

    private static String hints(String key, Explanation explanation) {
        return explanation.answer().isEmpty()
                ? ""
                : explanation.answer().stream()
                        .limit(CompiledZones.MAX_HINTS)
                        .collect(Collectors.joining(",", key, ""));
    }
}
