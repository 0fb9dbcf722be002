package io.ballast.dns.secondary;

import io.ballast.core.control.ControlPlane;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * The resources that secondary zones need.
 *
 * @param control the control plane, which runs timers
 * @param transfers executor that transfers zones and writes files, with one thread for each concurrent transfer
 * @param changes serial executor that changes the served zones; may block
 * @param directory the directory of transferred zones
 * @param updates the directory of zones with dynamic updates
 * @param catalogs the directory of generated catalog zones
 * @param random source of random jitter for the times of queries to primaries; used on the control plane
 */
public record SecondarySetup(
        ControlPlane control,
        Executor transfers,
        Executor changes,
        Path directory,
        Path updates,
        Path catalogs,
        RandomGenerator random) {}
