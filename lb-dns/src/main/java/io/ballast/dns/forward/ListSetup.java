package io.ballast.dns.forward;

import io.ballast.core.control.ControlPlane;
import java.nio.file.Path;
import java.util.concurrent.Executor;

/**
 * The resources that rule lists need.
 *
 * @param control the control plane, which activates new versions
 * @param background executor that reads and compiles lists, which may take a minute
 * @param fetching executor that downloads lists; a download may be slow or never end
 * @param cache a separate directory for downloaded lists
 */
public record ListSetup(ControlPlane control, Executor background, Executor fetching, Path cache) {

    /** Directory of downloaded rule lists, below the data directory. */
    private static final String DIRECTORY = "dns-lists";

    /** Returns the setup of a process whose data directory is {@code dataDir}. */
    public static ListSetup inDataDirectory(
            ControlPlane control, Executor background, Executor fetching, Path dataDir) {
        return new ListSetup(control, background, fetching, dataDir.resolve(DIRECTORY));
    }

    /** Returns a setup for reading the lists once: it neither downloads lists nor watches files for changes. */
    public static ListSetup withoutUpdates(ControlPlane control, Path dataDir) {
        return inDataDirectory(control, task -> {}, task -> {}, dataDir);
    }
}
