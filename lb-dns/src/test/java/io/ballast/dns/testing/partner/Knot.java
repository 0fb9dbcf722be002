package io.ballast.dns.testing.partner;

import io.ballast.dns.testing.TransferFixture;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Knot DNS. Immutable. */
public final class Knot implements CatalogPartner {

    @Override
    public String program() {
        return "knotd";
    }

    @Override
    public List<String> arguments(Path config) {
        return List.of("-c", config.toString());
    }

    @Override
    public String secondary(Peering peering, String... zones) {
        return head(peering) + zones("    master: ballast\n    acl: in\n", zones);
    }

    @Override
    public String primary(Peering peering, String... zones) {
        return head(peering) + zones(PRIMARY, zones);
    }

    @Override
    public boolean knowsGroups() {
        return true;
    }

    @Override
    public String catalogConsumer(Peering peering, String catalog) {
        return head(peering)
                + template("member", peering, "")
                + template(GROUP, peering, "    dnssec-signing: on\n")
                + zones(
                        "    master: ballast\n    acl: in\n    catalog-role: interpret\n    catalog-template: [member, signed]\n",
                        catalog);
    }

    @Override
    public String catalogProducer(Peering peering, String catalog, String... zones) {
        return head(peering)
                + zones("    catalog-role: generate\n    notify: ballast\n    acl: out\n", catalog)
                + members(PRIMARY + "    catalog-role: member\n    catalog-zone: " + catalog + "\n", zones[0])
                + members(
                        PRIMARY + "    catalog-role: member\n    catalog-group: " + GROUP + "\n    catalog-zone: "
                                + catalog + "\n",
                        Arrays.copyOfRange(zones, 1, zones.length));
    }

    private static final String PRIMARY =
            "    notify: ballast\n    acl: out\n    zonefile-load: difference\n    zonefile-sync: -1\n";

    private static String head(Peering peering) {
        return """
                server:
                  listen: 127.0.0.1@%d
                  rundir: %2$s
                  udp-workers: 1
                  tcp-workers: 1
                  background-workers: 1
                log:
                  - target: stdout
                    any: debug
                database:
                  storage: %2$s
                key:
                  - id: %3$s
                    algorithm: hmac-sha256
                    secret: %4$s
                remote:
                  - id: ballast
                    address: 127.0.0.1@%5$d
                    key: %3$s
                acl:
                  - id: in
                    address: 127.0.0.1
                    key: %3$s
                    action: notify
                  - id: out
                    key: %3$s
                    action: transfer
                template:
                  - id: default
                    storage: %2$s
                """.formatted(
                        peering.partner().port(),
                        peering.directory(),
                        TransferFixture.KEY,
                        peering.secret(),
                        peering.ballast().port());
    }

    private static String template(String id, Peering peering, String more) {
        return "  - id: %s\n    storage: %s\n    master: ballast\n    acl: in\n%s"
                .formatted(id, peering.directory(), more);
    }

    private static String zones(String settings, String... zones) {
        return "zone:\n" + members(settings, zones);
    }

    private static String members(String settings, String... zones) {
        StringBuilder all = new StringBuilder();
        for (String zone : zones) {
            all.append("  - domain: ").append(zone).append('\n').append(settings);
        }
        return all.toString();
    }
}
