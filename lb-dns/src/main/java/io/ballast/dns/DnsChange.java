package io.ballast.dns;

import io.ballast.core.control.PreparedChange;
import java.util.List;

/** A prepared configuration change of a DNS frontend; see {@link DnsFrontend#prepare}. */
public interface DnsChange extends PreparedChange {

    /** Returns the changes that need a restart, each as one sentence without a full stop. */
    @Override
    List<String> warnings();

    /**
     * Returns whether the zones differ from the active ones, in their configuration or in the content of their
     * files.
     */
    boolean hasOtherZones();
}
