package io.ballast.dns.secondary;

import java.nio.file.Path;
import java.util.List;
import org.xbill.DNS.SOARecord;

/**
 * A version of a zone that is kept. Immutable.
 *
 * @param file a zone file
 * @param members if it is a catalog zone
 */
record ZoneVersion(SOARecord soa, Path file, List<MemberZone> members) {

    ZoneVersion {
        members = List.copyOf(members);
    }

    long serial() {
        return soa.getSerial();
    }
}
