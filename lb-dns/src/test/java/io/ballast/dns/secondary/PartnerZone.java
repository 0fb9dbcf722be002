package io.ballast.dns.secondary;

import io.ballast.dns.testing.partner.Peering;
import java.io.IOException;
import java.nio.file.Files;

/** Zone files for partner primaries. */
final class PartnerZone {

    private PartnerZone() {}

    /** Writes a zone in which {@code www} has an address. */
    static void write(Peering peering, String zone, long serial, String address) throws IOException {
        Files.writeString(peering.zoneFile(zone), """
            $ORIGIN %s.
            $TTL 300
            @ SOA ns admin %d 3600 600 86400 60
            @ NS ns
            ns A 192.0.2.53
            www A %s
            text TXT "a \\"quoted\\" text; with" "two parts"
            @ CAA 0 issue "ca.example.net"
            @ HTTPS 1 . alpn=h2,h3 ipv4hint=192.0.2.1
            """.formatted(zone, serial, address));
    }
}
