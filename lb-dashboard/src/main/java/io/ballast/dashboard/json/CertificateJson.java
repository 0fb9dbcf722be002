package io.ballast.dashboard.json;

import io.ballast.dashboard.CertificateStats;
import io.ballast.dashboard.ListenerStats;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** The certificates of listeners: each of them, or those that matter first. */
final class CertificateJson {

    /** A summary names so many; a tick goes out each second. */
    static final int MOST = 20;

    /** And so many names of each. */
    static final int MOST_NAMES = 3;

    private static final long SECONDS_PER_DAY = Duration.ofDays(1).toSeconds();

    private CertificateJson() {}

    private record Shown(String listener, CertificateStats certificate) {}

    /** Writes the field {@code certificates} of a listener. */
    static void every(JsonWriter json, List<CertificateStats> certificates, Instant now) {
        json.array(
                "certificates",
                () -> certificates.forEach(each -> json.object(() -> {
                    json.array("names", () -> each.names().forEach(json::value));
                    rest(json, each, now);
                })));
    }

    /**
     * Writes a value over the certificates of all listeners: how many there are, and those that expire first.
     *
     * @param warning how long before its end a certificate counts as expiring
     */
    static void summary(JsonWriter json, List<? extends ListenerStats> listeners, Duration warning, Instant now) {
        List<Shown> all = new ArrayList<>();
        for (ListenerStats listener : listeners) {
            listener.certificates().forEach(each -> all.add(new Shown(listener.name(), each)));
        }
        all.sort(Comparator.comparing(shown -> shown.certificate().notAfter()));
        json.object(() -> {
            long expired = before(all, now);
            json.field("count", all.size());
            json.field("expired", expired);
            json.field("expiring", before(all, now.plus(warning)) - expired);
            json.field("warning_seconds", warning.toSeconds());
            json.array("first", () -> all.stream().limit(MOST).forEach(shown -> shown(json, shown, now)));
        });
    }

    private static void shown(JsonWriter json, Shown shown, Instant now) {
        CertificateStats certificate = shown.certificate();
        List<String> names = certificate.names();
        json.object(() -> {
            json.field("listener", shown.listener());
            json.array("names", () -> names.stream().limit(MOST_NAMES).forEach(json::value));
            json.field("more_names", Math.max(0, names.size() - MOST_NAMES));
            rest(json, certificate, now);
        });
    }

    private static void rest(JsonWriter json, CertificateStats certificate, Instant now) {
        json.field("issuer", certificate.issuer());
        json.field("not_after", certificate.notAfter().toString());
        json.field("days_left", daysLeft(certificate, now));
        json.field("file", certificate.file());
    }

    /** Whole days; below zero as soon as it has expired. */
    private static long daysLeft(CertificateStats certificate, Instant now) {
        return Math.floorDiv(Duration.between(now, certificate.notAfter()).toSeconds(), SECONDS_PER_DAY);
    }

    private static long before(List<Shown> all, Instant limit) {
        return all.stream()
                .filter(shown -> shown.certificate().notAfter().isBefore(limit))
                .count();
    }
}
