/** Files with state that outlives the process: {@link io.ballast.core.state.StateFile}. */
@NullMarked
package io.ballast.core.state;

import org.jspecify.annotations.NullMarked;
