package io.ballast.dns.zone;

import io.ballast.core.config.DnssecConfig;
import io.ballast.core.config.ZoneConfig;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.xbill.DNS.DClass;
import org.xbill.DNS.NSRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.SOARecord;

/** Where the records of a zone come from: its file, or what the configuration says of it. Used by the control plane. */
final class ZoneSource {

    private ZoneSource() {}

    /**
     * Returns the records of a zone.
     *
     * @throws InvalidZoneException if something is wrong with them
     */
    static ZoneContents read(ZoneConfig config) {
        Name apex = Names.absolute(config.name());
        Optional<Path> file = config.file();
        ZoneContents contents;
        try {
            contents = ZoneContents.of(
                    apex, file.isPresent() ? ZoneFile.read(file.get(), apex) : configured(config, apex));
        } catch (IOException e) {
            throw new InvalidZoneException(List.of(String.valueOf(e.getMessage())), e);
        }
        List<String> problems = new ArrayList<>();
        if (file.isPresent()) {
            problems.addAll(ZoneRules.problems(contents));
        }
        config.dnssec().ifPresent(signing -> {
            problems.addAll(ZoneRules.problems(contents, signing));
            problems.addAll(servicesThatLiveTooLong(config, signing));
        });
        if (!problems.isEmpty()) {
            String place = file.map(path -> path + ": ").orElse("");
            throw new InvalidZoneException(
                    problems.stream().map(problem -> place + problem).toList(), null);
        }
        return contents;
    }

    private static List<String> servicesThatLiveTooLong(ZoneConfig config, DnssecConfig signing) {
        return config.services().stream()
                .filter(service -> service.ttl().max().compareTo(signing.maxTtl()) > 0)
                .map(service -> config.name() + ": service " + service.name() + " with a TTL of "
                        + service.ttl().max().toSeconds() + " s (expected: at most dnssec.max_ttl, "
                        + signing.maxTtl().toSeconds() + " s)")
                .toList();
    }

    private static List<Record> configured(ZoneConfig config, Name apex) {
        List<Record> records = new ArrayList<>();
        ZoneConfig.SoaConfig soa = config.soa();
        int negativeTtl = Ttl.seconds(soa.negativeTtl());
        // Its own TTL equals its last field, so that both ways of telling how long to remember a negative answer agree
        // (RFC 2308 section 3).
        records.add(new SOARecord(
                apex,
                DClass.IN,
                negativeTtl,
                Names.absolute(soa.primary()),
                Names.absolute(soa.contact()),
                soa.serial(),
                Ttl.seconds(soa.refresh()),
                Ttl.seconds(soa.retry()),
                Ttl.seconds(soa.expire()),
                negativeTtl));
        for (String server : config.nameServers()) {
            records.add(new NSRecord(apex, DClass.IN, Ttl.seconds(config.nsTtl()), Names.absolute(server)));
        }
        return records;
    }
}
