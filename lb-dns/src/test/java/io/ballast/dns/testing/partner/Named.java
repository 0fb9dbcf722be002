package io.ballast.dns.testing.partner;

import io.ballast.dns.testing.TransferFixture;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** BIND 9. Immutable. */
public final class Named implements CatalogPartner {

    @Override
    public String program() {
        return "named";
    }

    @Override
    public List<String> arguments(Path config) {
        return List.of("-g", "-n", "1", "-c", config.toString());
    }

    @Override
    public String secondary(Peering peering, String... zones) {
        if (peering.tls().isEmpty()) {
            return head(peering, /* options= */ "") + zones(peering, SECONDARY, zones);
        }
        TlsPeering tls = peering.tls().get();
        return head(peering, /* options= */ "")
                + "tls ballast { ca-file \"%s\"; remote-hostname \"%s\"; };\n"
                        .formatted(tls.identity().certificate(), TlsPeering.NAME)
                + zones(peering, SECONDARY, tls.ballast().port(), " tls ballast", zones);
    }

    @Override
    public String primary(Peering peering, String... zones) {
        if (peering.tls().isEmpty()) {
            return head(peering, /* options= */ "") + zones(peering, PRIMARY, zones);
        }
        TlsPeering tls = peering.tls().get();
        int port = tls.partner().port();
        return head(peering, "  listen-on port " + port + " tls own { 127.0.0.1; };\n")
                // With a CA file, clients must present certificates.
                + "tls own { cert-file \"%1$s\"; key-file \"%2$s\"; ca-file \"%1$s\"; };\n"
                        .formatted(tls.identity().certificate(), tls.identity().key())
                + zones(peering, PRIMARY, peering.ballast().port(), " port " + port + " transport tls", zones);
    }

    @Override
    public boolean knowsGroups() {
        return false; // BIND 9.18 does not support groups
    }

    @Override
    public String catalogConsumer(Peering peering, String catalog) {
        String options = """
                  catalog-zones {
                    zone "%s" default-primaries { 127.0.0.1 port %d key "%s"; } min-update-interval 1;
                  };
                """.formatted(catalog, peering.ballast().port(), TransferFixture.KEY);
        return head(peering, options) + zones(peering, SECONDARY, catalog);
    }

    @Override
    public String catalogProducer(Peering peering, String catalog, String... zones) throws IOException {
        StringBuilder records = new StringBuilder("""
                $ORIGIN %s.
                $TTL 0
                @ SOA invalid. invalid. %d 3600 600 86400 60
                @ NS invalid.
                version TXT "2"
                """.formatted(catalog, zones.length));
        for (String zone : zones) {
            String label = zone.replace('.', '-');
            records.append("%s.zones PTR %s.\n".formatted(label, zone));
            if (!zone.equals(zones[0])) {
                records.append("group.%s.zones TXT %s\n".formatted(label, GROUP));
            }
        }
        Files.writeString(peering.zoneFile(catalog), records);
        return primary(
                peering, Stream.concat(Stream.of(catalog), Stream.of(zones)).toArray(String[]::new));
    }

    private static final String SECONDARY = """
              type secondary;
              masterfile-format text;
              primaries { 127.0.0.1 port %1$d key "%2$s"%3$s; };
              allow-notify { key "%2$s"; };
              notify no;
            """;

    private static final String PRIMARY = """
              type primary;
              ixfr-from-differences yes;
              allow-transfer%3$s { key "%2$s"; };
              notify explicit;
              also-notify { 127.0.0.1 port %1$d key "%2$s"; };
            """;

    private static String head(Peering peering, String options) {
        return """
                options {
                  directory "%1$s";
                  listen-on port %2$d { 127.0.0.1; };
                  listen-on-v6 { none; };
                  pid-file none;
                  session-keyfile none;
                  recursion no;
                  dnssec-validation no;
                  notify-delay 0;
                %5$s};
                controls {};
                key "%3$s" { algorithm hmac-sha256; secret "%4$s"; };
                """.formatted(
                        peering.directory(), peering.partner().port(), TransferFixture.KEY, peering.secret(), options);
    }

    private static String zones(Peering peering, String settings, String... zones) {
        return zones(peering, settings, peering.ballast().port(), /* transport= */ "", zones);
    }

    private static String zones(Peering peering, String settings, int port, String transport, String... zones) {
        StringBuilder all = new StringBuilder();
        for (String zone : zones) {
            all.append("zone \"%s\" {\n  file \"%s\";\n".formatted(zone, peering.zoneFile(zone)))
                    .append(settings.formatted(port, TransferFixture.KEY, transport))
                    .append("};\n");
        }
        return all.toString();
    }
}
