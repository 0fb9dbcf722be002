package io.ballast.dns.secondary;

import io.ballast.core.control.ControlPlane;
import java.nio.file.Path;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * What secondary zones need around them.
 *
 * @param control on which they are looked after
 * @param transfers talks to primaries and writes files; as many at once as it has threads
 * @param changes where what is served is changed, one change after the other; may block
 * @param directory of their own, for what has come
 * @param updates likewise, for zones that messages change
 * @param catalogs likewise, for catalog zones that are made here
 * @param random draws when primaries are asked; used on the control plane
 */
public record SecondarySetup(
        ControlPlane control,
        Executor transfers,
        Executor changes,
        Path directory,
        Path updates,
        Path catalogs,
        RandomGenerator random) {}
