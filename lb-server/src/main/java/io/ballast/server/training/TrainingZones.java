package io.ballast.server.training;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Zone files with the usual kinds of names, so that the class archive contains the code that reads and compiles
 * zones, with method profiles: one file for each of many small zones, as on servers that host zones.
 */
final class TrainingZones {

    /** Enough names of each kind to record method profiles. Reading them takes about one second. */
    private static final int ZONES = 1_000;

    private static final String CONTENTS = """
            $TTL 3600
            @ SOA ns1 hostmaster 2026010101 7200 900 1209600 300
              NS  ns1
              NS  ns2.provider.example.
              MX  10 mail
              TXT "v=spf1 mx -all"
              CAA 0 issue "ca.example"
            ns1     A     192.0.2.1
            mail    A     192.0.2.2
                    AAAA  2001:db8::2
            www 300 IN A  192.0.2.3
            www 300 IN A  192.0.2.4
            ftp     CNAME www
            _sip._tcp SRV 10 5 5060 sip.provider.example.
            *.users CNAME www
            sub     NS    ns.sub
            ns.sub  A     192.0.2.5
            old     DNAME new
            """;

    private TrainingZones() {}

    /**
     * Writes the zone files into a directory.
     *
     * @return the zones as lines of a configuration, each indented by four spaces
     */
    static String write(Path directory) throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < ZONES; i++) {
            String zone = name(i);
            Files.writeString(directory.resolve(zone), CONTENTS);
            lines.append("    - {name: ")
                    .append(zone)
                    .append(", file: ")
                    .append(zone)
                    .append("}\n");
        }
        return lines.toString();
    }

    /** Queries an address and a wildcard of a zone. */
    static void use(TrainingDnsClient client) throws IOException {
        client.queryByUdp("www." + name(0));
        client.queryByUdp("x.users." + name(0));
    }

    private static String name(int zone) {
        return "zone-" + zone + ".test";
    }
}
