/* Number primitives on lines of text: `name argument ...`, one result a line.
 * Arguments are numbers as Scheme writes them; a result of two parts is printed
 * with a blank between. check_numbers.py compares with Python. */
#include "num_lines.h"

int main(int argc, char **argv)
{
    char *line = NULL;
    size_t room = 0;
    heap_open();
    if (argc > 1)
        heap.afford = (uint64_t)atoll(argv[1]);
    ssize_t length;
    while ((length = getline(&line, &room, stdin)) > 0) {
        if (line[length - 1] == '\n')
            line[length - 1] = 0;
        print(stdout, run(line));
        putchar('\n');
        heap_forget();
    }
    free(line);
    return 0;
}
