package io.ballast.dns.secondary;

import java.nio.file.Path;
import java.util.List;
import org.xbill.DNS.SOARecord;

/**
 * A stored version of a zone. Immutable.
 *
 * @param file the zone file
 * @param members the member zones, if the zone is a catalog zone
 */
record ZoneVersion(SOARecord soa, Path file, List<MemberZone> members) {

    ZoneVersion {
        members = List.copyOf(members);
    }

    long serial() {
        return soa.getSerial();
    }
}
