package io.ballast.dns;

import io.ballast.core.control.PreparedChange;
import java.util.List;

/** A prepared configuration change of a DNS frontend; see {@link DnsFrontend#prepare}. */
public interface DnsChange extends PreparedChange {

    /** The changes that need a restart: one sentence each, without a full stop. */
    @Override
    List<String> warnings();

    /** Returns whether the zones change, in their configuration or in the content of their files. */
    boolean hasOtherZones();
}
