package io.ballast.dns.answer;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.config.zone.ServiceConfig;
import io.ballast.dns.testing.AnswererClient;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.ZoneFixture;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Message;
import org.xbill.DNS.NSRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Type;

/** Compares all responses with {@link NaiveServer}, for random zones, names and letter case. */
class NaiveServerDifferentialTest {

    private static final String[] LABELS = {"a", "b", "c", "*", "www", "x-1"};
    private static final String[] ZONES = {"example.com", "a.example.com", "b.a.example.com", "example.org", "c"};
    private static final int[] TYPES = {Type.A, Type.AAAA, Type.SOA, Type.NS, Type.TXT, Type.ANY};
    private static final int QUERIES = 5000;

    private final ZoneFixture fixture = new ZoneFixture()
            .pool(
                    "both",
                    ZoneFixture.backend("192.0.2.1"),
                    ZoneFixture.backend("192.0.2.2"),
                    ZoneFixture.backend("2001:db8::1"))
            .pool("v4", ZoneFixture.backend("192.0.2.3"));
    private final NaiveServer naive = new NaiveServer();

    @ParameterizedTest(name = "{displayName} seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void matchesReferenceServer(long seed) throws UnknownHostException {
        SplittableRandom random = new SplittableRandom(seed);
        List<String> zones = chosenZones(random);
        for (String zone : zones) {
            addZone(zone, zones, random);
        }
        AnswererClient client = new AnswererClient(fixture);

        for (int i = 0; i < QUERIES; i++) {
            Message query = Messages.query(randomCase(randomName(random), random), TYPES[random.nextInt(TYPES.length)]);

            Message response = client.query(query, Transport.UDP);

            assertThat(Messages.canonical(response))
                    .as("seed %s, query %s", seed, query.getQuestion())
                    .isEqualToIgnoringCase(Messages.canonical(naive.answer(query)));
        }
    }

    private static List<String> chosenZones(SplittableRandom random) {
        List<String> zones = new ArrayList<>();
        for (String zone : ZONES) {
            if (random.nextInt(4) > 0) {
                zones.add(zone);
            }
        }
        return zones;
    }

    private void addZone(String zone, List<String> zones, SplittableRandom random) throws UnknownHostException {
        Name apex = Messages.name(zone);
        Name primary = Messages.name("ns1." + zone);
        Name contact = Messages.name("hostmaster.elsewhere.net");
        naive.addZone(new SOARecord(apex, DClass.IN, 60, primary, contact, 4_000_000_000L, 7200, 3600, 1_209_600, 60));
        naive.add(new NSRecord(apex, DClass.IN, 3600, primary));
        naive.add(new NSRecord(apex, DClass.IN, 3600, Messages.name("ns2.elsewhere.net")));
        List<ServiceConfig> services = new ArrayList<>();
        List<String> taken = new ArrayList<>();
        for (int i = random.nextInt(8); i > 0; i--) {
            String relative = random.nextInt(6) == 0 ? "@" : randomLabels(random);
            String absolute = relative.equals("@") ? zone : relative + "." + zone;
            boolean hidden = zones.stream()
                    .filter(other -> other.length() > zone.length())
                    .anyMatch(other -> Messages.name(absolute).subdomain(Messages.name(other)));
            if (hidden || taken.contains(relative)) {
                continue;
            }
            taken.add(relative);
            String pool = random.nextBoolean() ? "both" : "v4";
            services.add(ZoneFixture.service(relative, pool));
            addAddresses(Messages.name(absolute), pool);
        }
        fixture.zone(zone, services.toArray(ServiceConfig[]::new));
    }

    private void addAddresses(Name name, String pool) throws UnknownHostException {
        if (pool.equals("v4")) {
            naive.add(new ARecord(name, DClass.IN, 30, InetAddress.getByName("192.0.2.3")));
            return;
        }
        naive.add(new ARecord(name, DClass.IN, 30, InetAddress.getByName("192.0.2.1")));
        naive.add(new ARecord(name, DClass.IN, 30, InetAddress.getByName("192.0.2.2")));
        naive.add(new AAAARecord(name, DClass.IN, 30, InetAddress.getByName("2001:db8::1")));
    }

    private static String randomName(SplittableRandom random) {
        String zone = ZONES[random.nextInt(ZONES.length)];
        return switch (random.nextInt(8)) {
            case 0 -> zone;
            case 1 -> randomLabels(random);
            case 2 -> zone.substring(zone.indexOf('.') + 1);
            default -> randomLabels(random) + "." + zone;
        };
    }

    private static String randomLabels(SplittableRandom random) {
        StringBuilder labels = new StringBuilder(LABELS[random.nextInt(LABELS.length)]);
        while (random.nextInt(2) == 0) {
            labels.append('.').append(LABELS[random.nextInt(LABELS.length)]);
        }
        return labels.toString();
    }

    private static String randomCase(String name, SplittableRandom random) {
        StringBuilder mixed = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            mixed.append(random.nextBoolean() ? Character.toUpperCase(c) : c);
        }
        return mixed.toString();
    }
}
