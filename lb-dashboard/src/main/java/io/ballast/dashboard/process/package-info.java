/** Resource use of this process: {@link io.ballast.dashboard.process.ProcessReading}. */
@NullMarked
package io.ballast.dashboard.process;

import org.jspecify.annotations.NullMarked;
