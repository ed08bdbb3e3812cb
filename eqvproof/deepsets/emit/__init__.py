"""Back ends of formulas: numbers whose operations write LLVM instructions, or CUDA C++."""
