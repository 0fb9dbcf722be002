package io.ballast.config.keys.dns;

import io.ballast.config.key.Addresses;
import io.ballast.config.key.Key;
import io.ballast.config.key.Networks;
import io.ballast.config.key.Scalars;
import io.ballast.config.key.Shape;
import io.ballast.config.key.ShapeBuilder;
import io.ballast.config.key.Type;
import io.ballast.config.key.Values;
import io.ballast.config.keys.common.NameReference;
import io.ballast.config.keys.common.OneOrMore;
import io.ballast.core.Checks;
import io.ballast.core.config.HostPort;
import io.ballast.core.net.Cidr;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.zone.TransferConfig;
import java.util.List;
import java.util.Optional;

/** The keys of {@code dns.zones[].transfer}. */
final class TransferKeys {

    private static final String EXPECTED = "an IP address such as 192.0.2.1, 192.0.2.1:5353 or [2001:db8::1]:5353";

    private static final ShapeBuilder<TransferConfig> KEYS = Shape.named(
            "dns_transfer",
            "Other servers that may transfer the zone (AXFR, IXFR): by network, by key, or by both if"
                    + " both are given.");

    private static final Key<List<Cidr>> TO = KEYS.optional(
            "to",
            OneOrMore.of(Networks.NETWORK, "network"),
            "networks of these servers; default: all",
            transfer -> nonEmpty(transfer.to()));
    private static final Key<List<String>> KEY_NAMES = KEYS.optional(
            "keys",
            OneOrMore.of(NameReference.TSIG_KEY, "key"),
            "names of keys in dns.keys; one of them must sign the request; not required by default",
            transfer -> nonEmpty(transfer.keys()));
    private static final Key<List<HostPort>> NOTIFY = KEYS.optional(
            "notify",
            OneOrMore.of(Scalars.TEXT.map(TransferKeys::address, HostPort::toString), "server"),
            "servers that get a NOTIFY (RFC 1996) when the serial of the zone changes, at port 53 unless"
                    + " a port is given",
            transfer -> nonEmpty(transfer.notified()));
    private static final Key<String> NOTIFY_KEY = KEYS.optional(
            "notify_key",
            NameReference.TSIG_KEY,
            "the key that signs NOTIFY; unsigned by default",
            TransferConfig::notifyKey);

    static {
        KEYS.atLeastOne(TO, KEY_NAMES);
    }

    static final Type<TransferConfig> TRANSFER = KEYS.build(TransferKeys::build);

    private TransferKeys() {}

    private static <T> Optional<List<T>> nonEmpty(List<T> values) {
        return values.isEmpty() ? Optional.empty() : Optional.of(values);
    }

    private static HostPort address(String text) {
        if (isAddress(text)) {
            return new HostPort(text, TransferConfig.NOTIFY_PORT);
        }
        HostPort address = Addresses.parse(text, EXPECTED);
        Checks.that(isAddress(address.host()) && address.port() > 0, "address", text, EXPECTED);
        return address;
    }

    private static boolean isAddress(String text) {
        try {
            return !IpAddress.parse(text).toString().isEmpty();
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static TransferConfig build(Values values) {
        return new TransferConfig(
                values.find(TO).orElse(List.of()),
                values.find(KEY_NAMES).orElse(List.of()),
                values.find(NOTIFY).orElse(List.of()),
                values.find(NOTIFY_KEY));
    }
}
