@NullMarked
package io.ballast.agent.load;

import org.jspecify.annotations.NullMarked;
