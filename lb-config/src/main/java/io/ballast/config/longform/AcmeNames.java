package io.ballast.config.longform;

import io.ballast.acme.config.AcmeChallenge;
import io.ballast.acme.config.AcmeConfig;
import io.ballast.config.BallastConfig;
import io.ballast.config.key.ReadContext;
import io.ballast.config.yaml.Node;
import io.ballast.dns.challenge.ChallengeRecords;
import io.ballast.http.config.ListenerConfig;
import io.ballast.http.config.ListenerProtocol;
import io.ballast.net.config.ListenerTls;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Checks that the configured challenge can be answered for the names in {@code listeners[].tls.acme}. */
final class AcmeNames {

    private static final String WILDCARD = "*.";
    private static final String CHALLENGE_LABEL = "_acme-challenge.";

    private final BallastConfig config;
    private final ReadContext reading;
    private final Map<String, List<String>> issuersOfNames = new HashMap<>();

    private AcmeNames(BallastConfig config, ReadContext reading) {
        this.config = config;
        this.reading = reading;
    }

    /** Reports each name for which no certificate can be issued. */
    static void check(BallastConfig config, Node.Mapping root, ReadContext reading) {
        new AcmeNames(config, reading).check(root);
    }

    private void check(Node.Mapping root) {
        List<ListenerConfig> listeners = config.listeners();
        boolean isUsed = listeners.stream()
                .anyMatch(each -> each.tls()
                        .filter(tls -> !tls.acme().isEmpty() || tls.onDemand())
                        .isPresent());
        root.entry("acme").ifPresent(entry -> {
            if (!isUsed && !reading.hasErrors()) {
                reading.warning(entry, "no listener has names in tls.acme");
            }
            config.acme().ifPresent(acme -> {
                checkChallengeZone(acme, entry.value());
                checkOnDemand(acme, entry.value());
            });
        });
        root.entry("listeners").map(Node.Entry::value).ifPresent(node -> {
            if (isUsed && node instanceof Node.Sequence items) {
                items.items().forEach(this::checkListener);
            }
        });
    }

    private void checkChallengeZone(AcmeConfig acme, Node node) {
        acme.challengeZone().ifPresent(name -> {
            if (!isInPrimaryZone(name)) {
                reading.error(
                        child(node, "challenge_zone").orElse(node),
                        "'" + name
                                + "' is in no zone of this server (expected: a name in a primary zone of dns.zones)");
            }
        });
    }

    private void checkOnDemand(AcmeConfig acme, Node node) {
        if (acme.onDemand().isEmpty()) {
            return;
        }
        Node place = child(node, "on_demand").orElse(node);
        checkIssuers(place, "issuers");
        if (acme.challenge() == AcmeChallenge.DNS_01) {
            reading.error(
                    place,
                    "names that are not known in advance are in no zone of this server (expected: acme.challenge http-01 or"
                            + " tls-alpn-01)");
        }
        boolean isUsed = config.listeners().stream()
                .anyMatch(each -> each.tls().filter(ListenerTls::onDemand).isPresent());
        if (!isUsed && !reading.hasErrors()) {
            reading.warning(place, "no listener has tls.on_demand");
        }
    }

    /** Reports each issuer name in the list {@code key} that {@code acme.issuers} does not define. */
    private void checkIssuers(Node object, String key) {
        List<String> known = config.acme().map(AcmeConfig::issuerNames).orElse(List.of());
        if (child(object, key).orElse(null) instanceof Node.Sequence names && !known.isEmpty()) {
            for (Node item : names.items()) {
                if (item instanceof Node.Scalar scalar && !known.contains(scalar.text())) {
                    reading.mismatch(item, "a name of acme.issuers: " + String.join(", ", known));
                }
            }
        }
    }

    /**
     * Reports each name for which another listener configures different issuers, because a name has only one
     * certificate.
     */
    private void checkSameIssuers(AcmeConfig acme, Node tls, Node.Sequence names) {
        List<String> issuers = acme.issuerNames(child(tls, "acme_issuers")
                .filter(Node.Sequence.class::isInstance)
                .map(node -> ((Node.Sequence) node)
                        .items().stream()
                                .filter(Node.Scalar.class::isInstance)
                                .map(item -> ((Node.Scalar) item).text())
                                .toList())
                .orElse(List.of()));
        for (Node item : names.items()) {
            if (item instanceof Node.Scalar scalar) {
                List<String> before = issuersOfNames.putIfAbsent(scalar.text().toLowerCase(Locale.ROOT), issuers);
                if (before != null && !before.equals(issuers)) {
                    reading.error(
                            item,
                            "another listener orders this name from other issuers (expected: acme_issuers ["
                                    + String.join(", ", before) + "] as there)");
                }
            }
        }
    }

    private void checkListener(Node listener) {
        child(listener, "tls")
                .flatMap(tls -> child(tls, "on_demand"))
                .filter(node ->
                        node instanceof Node.Scalar scalar && scalar.text().equals("true"))
                .ifPresent(this::checkOnDemandListener);
        Optional<Node> names = child(listener, "tls").flatMap(tls -> child(tls, "acme"));
        if (names.isEmpty()) {
            return;
        }
        if (config.acme().isEmpty()) {
            reading.error(names.get(), "requires the key acme at the top of the configuration");
            return;
        }
        AcmeConfig acme = config.acme().get();
        checkPlainHttp(acme, names.get());
        child(listener, "tls").ifPresent(tls -> checkIssuers(tls, "acme_issuers"));
        if (names.get() instanceof Node.Sequence items) {
            child(listener, "tls").ifPresent(tls -> checkSameIssuers(acme, tls, items));
            items.items().forEach(name -> checkName(acme, name));
        }
    }

    private void checkOnDemandListener(Node node) {
        if (config.acme().flatMap(AcmeConfig::onDemand).isEmpty()) {
            reading.error(node, "requires the key acme.on_demand, whose URL permits names");
            return;
        }
        checkPlainHttp(config.acme().get(), node);
    }

    private void checkPlainHttp(AcmeConfig acme, Node node) {
        if (acme.challenge() == AcmeChallenge.HTTP_01
                && config.listeners().stream().noneMatch(AcmeNames::isPlainHttp)) {
            reading.error(
                    node,
                    "no listener can answer http-01 (expected: a listener without tls, which the CA reaches on port 80)");
        }
    }

    private static boolean isPlainHttp(ListenerConfig listener) {
        return listener.protocol() == ListenerProtocol.HTTP && listener.tls().isEmpty();
    }

    private void checkName(AcmeConfig acme, Node node) {
        if (!(node instanceof Node.Scalar scalar)) {
            return; // reported when the list was read
        }
        String name = scalar.text().toLowerCase(Locale.ROOT);
        boolean isWildcard = name.startsWith(WILDCARD);
        if (acme.challenge() != AcmeChallenge.DNS_01) {
            if (isWildcard) {
                reading.error(
                        node,
                        "a wildcard cannot be verified with " + acme.challenge().type()
                                + " (expected: acme.challenge dns-01)");
            }
            return;
        }
        String host = isWildcard ? name.substring(WILDCARD.length()) : name;
        if (acme.challengeZone().isEmpty() && !isInPrimaryZone(CHALLENGE_LABEL + host)) {
            reading.error(
                    node,
                    "the name is in no zone of this server (expected: a name in a primary zone of dns.zones,"
                            + " or acme.challenge_zone and a CNAME record)");
        }
    }

    /** Whether the name is in a zone to which this server can add challenge records. */
    private boolean isInPrimaryZone(String name) {
        return config.dns().flatMap(dns -> ChallengeRecords.zone(dns, name)).isPresent();
    }

    private static Optional<Node> child(Node node, String key) {
        return node instanceof Node.Mapping mapping ? mapping.entry(key).map(Node.Entry::value) : Optional.empty();
    }
}
