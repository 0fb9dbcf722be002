/** Files with state that outlives the process: {@link io.ballast.server.state.StateFile}. */
@NullMarked
package io.ballast.server.state;

import org.jspecify.annotations.NullMarked;
