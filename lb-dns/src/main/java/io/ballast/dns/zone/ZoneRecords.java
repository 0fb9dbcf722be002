package io.ballast.dns.zone;

import io.ballast.core.config.ZoneConfig;
import io.ballast.dns.answer.Answer;
import io.ballast.dns.answer.NameAnswers;
import io.ballast.dns.answer.Zone;
import io.ballast.dns.wire.RecordType;
import org.xbill.DNS.Name;

/** Compiles what a zone says about itself: SOA and NS. Used by the control plane. */
final class ZoneRecords {

    private static final int ANY_TTL_SECONDS = 3600;

    /** The answer to ANY of every name that has records. */
    static final Answer ANY = RecordWriter.insteadOfAny(ANY_TTL_SECONDS);

    private ZoneRecords() {}

    /** The zone, with its SOA record for negative answers. */
    static Zone zone(ZoneConfig config, Name apex) {
        return new Zone(apex.length(), soa(config.soa(), apex));
    }

    /** The answers of the zone's own name, services aside. */
    static NameAnswers ofApex(ZoneConfig config, Name apex) {
        return NameAnswers.NONE
                .with(RecordType.SOA, soa(config.soa(), apex))
                .with(RecordType.NS, nameServers(config, apex))
                .with(RecordType.ANY, ANY);
    }

    /**
     * The SOA record. Its own TTL equals its last field, so that both ways of telling how long to remember a negative
     * answer agree (<a href="https://datatracker.ietf.org/doc/html/rfc2308#section-3">RFC 2308 section 3</a>).
     */
    private static Answer soa(ZoneConfig.SoaConfig soa, Name apex) {
        int negativeTtl = Ttl.seconds(soa.negativeTtl());
        RecordWriter writer = new RecordWriter(apex);
        writer.beginAtApex(RecordType.SOA, negativeTtl);
        writer.name(Names.absolute(soa.primary()));
        writer.name(Names.absolute(soa.contact()));
        writer.u32(soa.serial());
        writer.u32(Ttl.seconds(soa.refresh()));
        writer.u32(Ttl.seconds(soa.retry()));
        writer.u32(Ttl.seconds(soa.expire()));
        writer.u32(negativeTtl);
        writer.end();
        return writer.answer();
    }

    private static Answer nameServers(ZoneConfig config, Name apex) {
        RecordWriter writer = new RecordWriter(apex);
        for (String server : config.nameServers()) {
            writer.beginAtApex(RecordType.NS, Ttl.seconds(config.nsTtl()));
            writer.name(Names.absolute(server));
            writer.end();
        }
        return writer.answer();
    }
}
