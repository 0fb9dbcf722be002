package io.ballast.dns.zone;

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
     * @throws InvalidZoneException if there is a file and something is wrong with it
     */
    static ZoneContents read(ZoneConfig config) {
        Name apex = Names.absolute(config.name());
        Optional<Path> file = config.file();
        if (file.isEmpty()) {
            return ZoneContents.of(apex, configured(config, apex));
        }
        ZoneContents contents;
        try {
            contents = ZoneContents.of(apex, ZoneFile.read(file.get(), apex));
        } catch (IOException e) {
            throw new InvalidZoneException(List.of(String.valueOf(e.getMessage())), e);
        }
        List<String> problems = ZoneRules.problems(contents);
        if (!problems.isEmpty()) {
            throw new InvalidZoneException(
                    problems.stream()
                            .map(problem -> file.get() + ": " + problem)
                            .toList(),
                    null);
        }
        return contents;
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
