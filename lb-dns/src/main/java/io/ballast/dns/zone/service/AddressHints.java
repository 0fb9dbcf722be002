package io.ballast.dns.zone.service;

import io.ballast.core.geo.Regions;
import io.ballast.dns.answer.data.Answer;
import io.ballast.dns.answer.data.AnswerSource;
import io.ballast.dns.config.zone.HttpsConfig;
import io.ballast.dns.dnssec.SetSigner;
import io.ballast.dns.zone.contents.RecordSet;
import io.ballast.dns.zone.contents.RecordWriter;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.DClass;
import org.xbill.DNS.HTTPSRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.SVCBBase;
import org.xbill.DNS.TextParseException;

/**
 * Creates the HTTPS record of a service (<a href="https://datatracker.ietf.org/doc/html/rfc9460">RFC
 * 9460</a>). Its address hints match the address records of the service. Used by the compiler.
 */
final class AddressHints {

    private final HttpsConfig config;
    private final @Nullable Regions regions;

    /** @param regions the regions to which clients may belong; null if the configuration defines no regions */
    AddressHints(HttpsConfig config, @Nullable Regions regions) {
        this.config = config;
        this.regions = regions;
    }

    AnswerSource source(TypeAnswers.Served ipv4, TypeAnswers.Served ipv6) {
        int ttl = Math.min(ipv4.ttlSeconds(), ipv6.ttlSeconds());
        Map<List<InetAddress>, AnswerSource> made = new HashMap<>();
        int count = regions == null ? 1 : regions.count();
        List<AnswerSource> byRegion = new ArrayList<>(count);
        for (int region = 0; region < count; region++) {
            List<InetAddress> hints = new ArrayList<>(limit(ipv4.addresses().apply(region)));
            hints.addAll(limit(ipv6.addresses().apply(region)));
            byRegion.add(made.computeIfAbsent(hints, each -> answer(each, ttl)));
        }
        return regions == null || made.size() == 1
                ? byRegion.get(0)
                : AnswerSource.byRegion(byRegion, regions.defaultRegion());
    }

    private static List<InetAddress> limit(List<InetAddress> addresses) {
        return addresses.subList(0, Math.min(Service.MAX_HINTS, addresses.size()));
    }

    /** Creates the record without address hints. */
    static HTTPSRecord withoutHints(HttpsConfig config, Name name, int ttl) {
        List<SVCBBase.ParameterBase> parameters = connectionParameters(config);
        return new HTTPSRecord(name, DClass.IN, ttl, config.priority(), Name.root, parameters);
    }

    private static List<SVCBBase.ParameterBase> connectionParameters(HttpsConfig config) {
        List<SVCBBase.ParameterBase> parameters = new ArrayList<>();
        if (!config.alpn().isEmpty()) {
            parameters.add(alpn(config.alpn()));
        }
        config.port().ifPresent(port -> parameters.add(new SVCBBase.ParameterPort(port)));
        return parameters;
    }

    private Answer answer(List<InetAddress> hints, int ttl) {
        List<SVCBBase.ParameterBase> parameters = connectionParameters(config);
        List<Inet4Address> ipv4 = filterByFamily(Inet4Address.class, hints);
        if (!ipv4.isEmpty()) {
            parameters.add(new SVCBBase.ParameterIpv4Hint(ipv4));
        }
        List<Inet6Address> ipv6 = filterByFamily(Inet6Address.class, hints);
        if (!ipv6.isEmpty()) {
            parameters.add(new SVCBBase.ParameterIpv6Hint(ipv6));
        }
        HTTPSRecord https = new HTTPSRecord(Name.root, DClass.IN, ttl, config.priority(), Name.root, parameters);
        return RecordWriter.signed(RecordSet.of(https), ttl, Name.root, SetSigner.ON_DEMAND);
    }

    private static SVCBBase.ParameterAlpn alpn(List<String> protocols) {
        try {
            return new SVCBBase.ParameterAlpn(protocols);
        } catch (TextParseException e) {
            throw new IllegalArgumentException("alpn: " + protocols + " (expected: protocol names such as h2)", e);
        }
    }

    private static <T extends InetAddress> List<T> filterByFamily(Class<T> family, List<InetAddress> hints) {
        return hints.stream().filter(family::isInstance).map(family::cast).toList();
    }
}
