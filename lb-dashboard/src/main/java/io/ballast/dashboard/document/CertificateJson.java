package io.ballast.dashboard.document;

import io.ballast.dashboard.json.JsonWriter;
import io.ballast.dashboard.source.CertificateStats;
import io.ballast.dashboard.source.ListenerStats;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Writes the certificates of listeners: the full list of one listener, or a summary of all. */
final class CertificateJson {

    /** Maximum number of certificates in a summary, which is sent every second. */
    static final int MAX_CERTIFICATES = 20;

    /** Maximum number of names per certificate in a summary. */
    static final int MAX_NAMES = 3;

    private static final long SECONDS_PER_DAY = Duration.ofDays(1).toSeconds();

    private CertificateJson() {}

    private record ListenerCertificate(String listener, CertificateStats certificate) {}

    /** Writes the field {@code certificates} of a listener. */
    static void writeAll(JsonWriter json, List<CertificateStats> certificates, Instant now) {
        json.array(
                "certificates",
                () -> certificates.forEach(each -> json.object(() -> {
                    json.array("names", () -> each.names().forEach(json::value));
                    writeCommonFields(json, each, now);
                })));
    }

    /**
     * Writes a summary of all listeners' certificates as a JSON value: counts, and the certificates that expire
     * first.
     *
     * @param warning how long before its expiry a certificate counts as expiring
     */
    static void summary(JsonWriter json, List<? extends ListenerStats> listeners, Duration warning, Instant now) {
        List<ListenerCertificate> all = new ArrayList<>();
        for (ListenerStats listener : listeners) {
            listener.certificates().forEach(each -> all.add(new ListenerCertificate(listener.name(), each)));
        }
        all.sort(Comparator.comparing(shown -> shown.certificate().notAfter()));
        json.object(() -> {
            long expired = countExpiringBefore(all, now);
            json.field("count", all.size());
            json.field("expired", expired);
            json.field("expiring", countExpiringBefore(all, now.plus(warning)) - expired);
            json.field("warning_seconds", warning.toSeconds());
            json.array(
                    "first",
                    () -> all.stream().limit(MAX_CERTIFICATES).forEach(shown -> writeSummaryEntry(json, shown, now)));
        });
    }

    private static void writeSummaryEntry(JsonWriter json, ListenerCertificate shown, Instant now) {
        CertificateStats certificate = shown.certificate();
        List<String> names = certificate.names();
        json.object(() -> {
            json.field("listener", shown.listener());
            json.array("names", () -> names.stream().limit(MAX_NAMES).forEach(json::value));
            json.field("more_names", Math.max(0, names.size() - MAX_NAMES));
            writeCommonFields(json, certificate, now);
        });
    }

    private static void writeCommonFields(JsonWriter json, CertificateStats certificate, Instant now) {
        json.field("issuer", certificate.issuer());
        json.field("not_after", certificate.notAfter().toString());
        json.field("days_left", daysLeft(certificate, now));
        json.field("file", certificate.file());
    }

    /** Returns the number of whole days until the certificate expires; negative after the expiry. */
    private static long daysLeft(CertificateStats certificate, Instant now) {
        return Math.floorDiv(Duration.between(now, certificate.notAfter()).toSeconds(), SECONDS_PER_DAY);
    }

    private static long countExpiringBefore(List<ListenerCertificate> all, Instant limit) {
        return all.stream()
                .filter(shown -> shown.certificate().notAfter().isBefore(limit))
                .count();
    }
}
