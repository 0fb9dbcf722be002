package io.ballast.dns;

import io.ballast.core.control.PreparedChange;
import java.util.List;

/** Another configuration of a DNS frontend, ready to be put in force; see {@link DnsFrontend#prepare}. */
public interface DnsChange extends PreparedChange {

    /** What of it needs a restart, a sentence each without a full stop. */
    List<String> warnings();
}
