package io.ballast.dns;

import io.ballast.core.control.PreparedChange;
import java.util.List;

/** Another configuration of a DNS frontend, ready to be put in force; see {@link DnsFrontend#prepare}. */
public interface DnsChange extends PreparedChange {

    /** What of it needs a restart, a sentence each without a full stop. */
    @Override
    List<String> warnings();

    /** Whether its zones are other ones, by their configuration or by what their files say. */
    boolean hasOtherZones();
}
