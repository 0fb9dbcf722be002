package io.ballast.dns.testing.partner;

import io.ballast.dns.testing.TransferFixture;
import java.nio.file.Path;
import java.util.List;

/** NSD 4. Immutable. */
public final class Nsd implements Partner {

    @Override
    public String program() {
        return "nsd";
    }

    @Override
    public List<String> arguments(Path config) {
        return List.of("-d", "-V", "2", "-c", config.toString());
    }

    @Override
    public String secondary(Peering peering, String... zones) {
        if (peering.tls().isEmpty()) {
            return head(peering, /* options= */ "") + zones(peering, SECONDARY, zones);
        }
        TlsPeering tls = peering.tls().get();
        return head(peering, "  tls-cert-bundle: \"" + tls.identity().certificate() + "\"\n")
                + "tls-auth:\n  name: ballast\n  auth-domain-name: " + TlsPeering.NAME + "\n"
                + zones(peering, SECONDARY, tls.ballast().port(), " ballast", zones);
    }

    @Override
    public String primary(Peering peering, String... zones) {
        return head(peering, peering.tls().map(Nsd::listening).orElse("")) + zones(peering, PRIMARY, zones);
    }

    private static String listening(TlsPeering tls) {
        return """
                  ip-address: 127.0.0.1@%1$d
                  tls-port: %1$d
                  tls-service-pem: "%2$s"
                  tls-service-key: "%3$s"
                """.formatted(
                        tls.partner().port(),
                        tls.identity().certificate(),
                        tls.identity().key());
    }

    private static final String SECONDARY = """
              request-xfr: 127.0.0.1@%1$d %2$s%3$s
              allow-notify: 127.0.0.1 %2$s
            """;

    private static final String PRIMARY = """
              notify: 127.0.0.1@%1$d %2$s
              provide-xfr: 127.0.0.1 %2$s
              store-ixfr: yes
              create-ixfr: yes
            """;

    private static String head(Peering peering, String options) {
        return """
                server:
                  ip-address: 127.0.0.1@%2$d
                  server-count: 1
                  username: ""
                  chroot: ""
                  database: ""
                  pidfile: ""
                  zonesdir: "%1$s"
                  zonelistfile: "%1$s/zone.list"
                  xfrdfile: ""
                  xfrdir: "%1$s"
                  xfrd-reload-timeout: 0
                  cookie-secret-file: ""
                %5$s                remote-control:
                  control-enable: no
                key:
                  name: %3$s
                  algorithm: hmac-sha256
                  secret: "%4$s"
                """.formatted(
                        peering.directory(), peering.partner().port(), TransferFixture.KEY, peering.secret(), options);
    }

    private static String zones(Peering peering, String settings, String... zones) {
        return zones(peering, settings, peering.ballast().port(), /* authentication= */ "", zones);
    }

    private static String zones(Peering peering, String settings, int port, String authentication, String... zones) {
        StringBuilder all = new StringBuilder();
        for (String zone : zones) {
            all.append("zone:\n  name: %s\n  zonefile: \"%s\"\n".formatted(zone, peering.zoneFile(zone)))
                    .append(settings.formatted(port, TransferFixture.KEY, authentication));
        }
        return all.toString();
    }
}
